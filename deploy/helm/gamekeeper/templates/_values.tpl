{{/* What the values change in the objects. */}}

{{/* An image of ours. Wants: root, image. */}}
{{- define "gamekeeper.image" -}}
{{- $version := .root.Chart.AppVersion -}}
{{- with .image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default $version }}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Stops what cannot work. */}}
{{- define "gamekeeper.check" -}}
{{- if and .Values.backup.enabled (ne .Values.store "redis") -}}
  {{- fail "backup.enabled copies the Redis of store: redis. Others have snapshots.enabled (embedded), or their own backups (cluster)." -}}
{{- end -}}
{{- if and .Values.snapshots.enabled (ne .Values.store "embedded") -}}
  {{- fail "snapshots.enabled is for the volume of store: embedded." -}}
{{- end -}}
{{- if gt (int .Values.replicas.min) (int .Values.replicas.max) -}}
  {{- fail "replicas.min must not be above replicas.max." -}}
{{- end -}}
{{- end -}}

{{/* Labels and annotations of every object and its pods. Wants: root, object, template (of pods, or nothing). */}}
{{- define "gamekeeper.label" -}}
{{- $part := dict "app.kubernetes.io/part-of" "gamekeeper" -}}
{{- $own := dict "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
{{- $object := .object -}}
{{- $_ := set $object.metadata "labels" (merge (dict) ($object.metadata.labels | default dict) $part $own) -}}
{{- $_ := set $object.metadata "namespace" .root.Release.Namespace -}}
{{- range $object.subjects -}}{{- $_ := set . "namespace" $.root.Release.Namespace -}}{{- end -}}
{{- if .template -}}
  {{- $_ := set .template.metadata "labels" (merge (dict) .template.metadata.labels $part) -}}
{{- end -}}
{{- end -}}

{{/* Images, resources and settings of pods. Wants: root, state, template. */}}
{{- define "gamekeeper.pods" -}}
{{- $values := .root.Values -}}
{{- $container := index .template.spec.containers 0 -}}
{{- $sums := dict -}}
{{- if eq $container.name "gamekeeperd" -}}
  {{- $_ := set $container "image" (include "gamekeeper.image" (dict "root" .root "image" $values.image)) -}}
  {{- if $values.resources -}}{{- $_ := set $container "resources" $values.resources -}}{{- end -}}
  {{- include "kustomize.merge" (dict "into" .template.spec "from" (deepCopy $values.pod)) -}}
  {{- $sums = dict "checksum/settings" (get .state.maps "gamekeeper-settings" | toJson | sha256sum) -}}
{{- else if eq $container.name "forward" -}}
  {{- $_ := set $container "image" (include "gamekeeper.image" (dict "root" .root "image" $values.forward.image)) -}}
  {{- $sums = dict "checksum/settings" (get .state.maps "gamekeeper-forward-settings" | toJson | sha256sum) -}}
{{- else if contains "/redis:" $container.image -}}
  {{- if $values.redisImage -}}{{- $_ := set $container "image" $values.redisImage -}}{{- end -}}
  {{- $sums = dict "checksum/settings" (get .state.maps "redis-settings" | toJson | sha256sum) -}}
{{- else if $values.snapshotsImage -}}
  {{- $_ := set $container "image" $values.snapshotsImage -}}
{{- end -}}
{{- if and $sums (eq (.kind) "workload") -}}
  {{- $own := dict -}}
  {{- if eq $container.name "gamekeeperd" -}}
    {{- $own = $values.podAnnotations -}}
    {{- $_ := set .template.metadata "labels" (merge (dict) .template.metadata.labels $values.podLabels) -}}
  {{- end -}}
  {{- $_ := set .template.metadata "annotations" (merge (dict) $sums $own) -}}
{{- end -}}
{{- end -}}

{{/* The size of a claim. Wants: root, claim, size. */}}
{{- define "gamekeeper.claim" -}}
{{- $_ := set .claim.spec.resources.requests "storage" .size -}}
{{- if .root.Values.storage.class -}}
  {{- $_ := set .claim.spec "storageClassName" .root.Values.storage.class -}}
{{- end -}}
{{- end -}}

{{/* Type, annotations and labels of the Service. Wants: root, object. */}}
{{- define "gamekeeper.service" -}}
{{- $object := .object -}}
{{- with .root.Values.service -}}
  {{- if ne .type "ClusterIP" -}}{{- $_ := set $object.spec "type" .type -}}{{- end -}}
  {{- $_ := set $object.metadata "labels" (merge (dict) $object.metadata.labels .labels) -}}
  {{- if .annotations -}}{{- $_ := set $object.metadata "annotations" .annotations -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Everything that values change in one object. Wants: root, state, object. */}}
{{- define "gamekeeper.change" -}}
{{- $root := .root -}}
{{- $object := .object -}}
{{- $spec := $object.spec | default dict -}}
{{- $is_job := eq $object.kind "CronJob" -}}
{{- $template := $spec.template -}}
{{- if $is_job -}}{{- $template = $spec.jobTemplate.spec.template -}}{{- end -}}
{{- include "gamekeeper.label" (dict "root" $root "object" $object "template" $template) -}}
{{- if $template -}}
  {{- include "gamekeeper.pods" (dict "root" $root "state" .state "template" $template "kind" (ternary "job" "workload" $is_job)) -}}
{{- end -}}
{{- range $spec.volumeClaimTemplates -}}
  {{- $storage := $root.Values.storage -}}
  {{- $size := dict "games" $storage.games "state" $storage.forward | dig .metadata.name $storage.redis -}}
  {{- include "gamekeeper.claim" (dict "root" $root "claim" . "size" $size) -}}
{{- end -}}
{{- if eq $object.kind "PersistentVolumeClaim" -}}
  {{- include "gamekeeper.claim" (dict "root" $root "claim" $object "size" $root.Values.storage.backups) -}}
{{- end -}}
{{- if and (eq $object.metadata.name "gamekeeper-to-redis") (eq $root.Values.store "cluster") -}}
  {{- $_ := set (index (last $spec.egress).to 0).ipBlock "cidr" $root.Values.redisNetwork -}}
{{- end -}}
{{- if and (eq $object.kind "Service") (eq $object.metadata.name "gamekeeper") -}}
  {{- include "gamekeeper.service" (dict "root" $root "object" $object) -}}
{{- end -}}
{{- if eq $object.kind "HorizontalPodAutoscaler" -}}
  {{- $_ := set $spec "minReplicas" (int $root.Values.replicas.min) -}}
  {{- $_ := set $spec "maxReplicas" (int $root.Values.replicas.max) -}}
{{- end -}}
{{- end -}}
