{{/*
The objects come from the folder kubernetes, which is deploy/kubernetes itself: this reads its kustomizations, as far as they
use kustomize. So chart and overlays cannot differ. Everything works on one dict, `state`: `objects` in order, `maps` by
name (data of ConfigMaps), and `files`.
*/}}

{{/* A kustomization with what it is made of. Wants: state, folder. */}}
{{- define "kustomize.build" -}}
{{- $state := .state -}}
{{- $folder := .folder -}}
{{- $here := $state.files.Get (printf "%s/kustomization.yaml" $folder) | fromYaml -}}
{{- range $here.resources -}}
  {{- $path := clean (printf "%s/%s" $folder .) -}}
  {{- $part := ternary "kustomize.read" "kustomize.build" (hasSuffix ".yaml" .) -}}
  {{- include $part (dict "state" $state "folder" $path) -}}
{{- end -}}
{{- range $here.components -}}
  {{- include "kustomize.build" (dict "state" $state "folder" (clean (printf "%s/%s" $folder .))) -}}
{{- end -}}
{{- range $here.configMapGenerator -}}
  {{- include "kustomize.map" (dict "state" $state "folder" $folder "map" .) -}}
{{- end -}}
{{- range $here.patches -}}
  {{- include "kustomize.patch" (dict "state" $state "folder" $folder "patch" .) -}}
{{- end -}}
{{- end -}}

{{/* The objects of a file. */}}
{{- define "kustomize.read" -}}
{{- $state := .state -}}
{{- range regexSplit "(?m)^---$" ($state.files.Get .folder) -1 -}}
  {{- $object := fromYaml . -}}
  {{- if $object.kind -}}
    {{- $_ := set $state "objects" (append $state.objects $object) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* Values of a ConfigMap: new ones replace old ones. */}}
{{- define "kustomize.map" -}}
{{- $state := .state -}}
{{- $folder := .folder -}}
{{- $data := get $state.maps .map.name | default dict -}}
{{- $lines := .map.literals | default list -}}
{{- range .map.envs -}}
  {{- $lines = concat $lines (splitList "\n" ($state.files.Get (printf "%s/%s" $folder .))) -}}
{{- end -}}
{{- range $lines -}}
  {{- if and (contains "=" .) (not (hasPrefix "#" .)) -}}
    {{- $pair := regexSplit "=" . 2 -}}
    {{- $_ := set $data (first $pair) (last $pair) -}}
  {{- end -}}
{{- end -}}
{{- range .map.files -}}
  {{- $_ := set $data . ($state.files.Get (printf "%s/%s" $folder .)) -}}
{{- end -}}
{{- $_ := set $state.maps .map.name $data -}}
{{- end -}}

{{/* A patch: JSON Patch with a target, otherwise an object that is merged into that of its kind and name. */}}
{{- define "kustomize.patch" -}}
{{- $text := .patch.patch | default (.state.files.Get (printf "%s/%s" .folder (.patch.path | default ""))) -}}
{{- $target := .patch.target -}}
{{- range .state.objects -}}
  {{- if $target -}}
    {{- if include "kustomize.matches" (dict "object" . "target" $target) -}}
      {{- $object := . -}}
      {{- range fromYamlArray $text -}}
        {{- include "kustomize.operation" (dict "object" $object "operation" .) -}}
      {{- end -}}
    {{- end -}}
  {{- else -}}
    {{- $patch := fromYaml $text -}}
    {{- if and (eq .kind $patch.kind) (eq .metadata.name $patch.metadata.name) -}}
      {{- include "kustomize.merge" (dict "into" . "from" $patch) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* Something, if the object has the kind, the name and the label of the target. */}}
{{- define "kustomize.matches" -}}
{{- $label := regexSplit "=" (.target.labelSelector | default "=") 2 -}}
{{- $labels := .object.metadata.labels | default dict -}}
{{- $has_kind := regexMatch (printf "^(%s)$" .target.kind) .object.kind -}}
{{- $has_name := eq (.target.name | default .object.metadata.name) .object.metadata.name -}}
{{- $has_label := eq (get $labels (first $label)) (last $label) -}}
{{- if and $has_kind $has_name $has_label -}}yes{{- end -}}
{{- end -}}

{{/* `add` or `replace` of JSON Patch. */}}
{{- define "kustomize.operation" -}}
{{- $way := splitList "/" (trimPrefix "/" .operation.path) -}}
{{- $is_more := eq (last $way) "-" -}}
{{- if $is_more -}}{{- $way = initial $way -}}{{- end -}}
{{- $at := .object -}}
{{- range initial $way -}}
  {{- if kindIs "slice" $at -}}
    {{- $at = index $at (int .) -}}
  {{- else -}}
    {{- $at = get $at . -}}
  {{- end -}}
{{- end -}}
{{- $value := .operation.value -}}
{{- if $is_more -}}{{- $value = append (get $at (last $way)) $value -}}{{- end -}}
{{- $_ := set $at (last $way) $value -}}
{{- end -}}

{{/* Merges maps, and lists of things with names. */}}
{{- define "kustomize.merge" -}}
{{- $into := .into -}}
{{- range $key, $new := .from -}}
  {{- $old := get $into $key -}}
  {{- if and (kindIs "map" $new) (kindIs "map" $old) -}}
    {{- include "kustomize.merge" (dict "into" $old "from" $new) -}}
  {{- else if and (kindIs "slice" $new) (kindIs "slice" $old) -}}
    {{- $all := $old -}}
    {{- range $item := $new -}}
      {{- $known := dict -}}
      {{- range $old -}}{{- if eq .name $item.name -}}{{- $known = . -}}{{- end -}}{{- end -}}
      {{- if $known -}}
        {{- include "kustomize.merge" (dict "into" $known "from" $item) -}}
      {{- else -}}
        {{- $all = append $all $item -}}
      {{- end -}}
    {{- end -}}
    {{- $_ := set $into $key $all -}}
  {{- else -}}
    {{- $_ := set $into $key $new -}}
  {{- end -}}
{{- end -}}
{{- end -}}
