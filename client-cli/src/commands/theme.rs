//! Themes of drawings in files, as pages have them: custom properties of CSS.

use std::path::Path;

use gamekeeper_proto::gamekeeper::v1::DrawingTheme;

use crate::failure::Failure;

/// The maximum size of a file, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// Reads the theme in a file.
///
/// # Errors
/// If the file cannot be read or has anything but custom properties of drawings.
pub(crate) fn read(file: &Path) -> Result<DrawingTheme, Failure> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| Failure::io(file.display(), &error))?;
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", file.display()));
    if text.len() > MAX_BYTES {
        return Err(wrong(String::from("is no theme: it is larger than 64 KiB")));
    }
    parse(&text).map_err(wrong)
}

/// Reads the custom properties of a style sheet with at most one rule. Which colors there are, and what is a color, says
/// the server. The font is left out: it is for pages.
fn parse(text: &str) -> Result<DrawingTheme, String> {
    let text = without_comments(text)?;
    let declarations = match text.split_once('{') {
        None => text.as_str(),
        Some((_, rule)) => match rule.split_once('}') {
            Some((declarations, rest)) if rest.trim().is_empty() => declarations,
            Some(_) | None => return Err(String::from("has more than one rule")),
        },
    };
    let mut theme = DrawingTheme::default();
    let declarations = declarations.split(';').map(str::trim);
    for declaration in declarations.filter(|declaration| !declaration.is_empty()) {
        let property = declaration.strip_prefix("--gk-");
        let property = property.and_then(|property| property.split_once(':'));
        let (name, value) = property.ok_or_else(|| {
            format!(
                "`{declaration}` is no custom property of drawings, such as `--gk-paper: #101820`"
            )
        })?;
        let (name, value) = (name.trim(), value.trim());
        let percent =
            || percent(value).ok_or_else(|| format!("`{value}` is no factor such as 1.15"));
        match name {
            "font" => {}
            "corners" => theme.corners_percent = Some(percent()?),
            "font-width" => theme.font_width_percent = percent()?,
            color => drop(theme.colors.insert(color.to_owned(), value.to_owned())),
        }
    }
    Ok(theme)
}

/// Returns the text without the comments of CSS.
fn without_comments(text: &str) -> Result<String, String> {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part
            .split_once("*/")
            .ok_or("has a comment without an end")?;
        kept.push_str(rest);
    }
    Ok(kept)
}

/// Reads a factor with at most two decimals, such as `1.15`, as percent.
fn percent(factor: &str) -> Option<u32> {
    let (whole, part) = factor.split_once('.').unwrap_or((factor, ""));
    let is_empty = whole.is_empty() && part.is_empty();
    let digits = format!("{whole}{part:0<2}");
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_factor = is_number && part.len() <= 2 && !is_empty;
    is_factor.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_read_as_pages_have_them() {
        let text = "/* Night. */\n.night {\n  --gk-paper: #0b1622;\n  --gk-soft-red:#5a2a31; /* cards; */\n  \
                    --gk-font: Arimo, sans-serif;\n  --gk-corners: 0.4;\n  --gk-font-width: 1.15\n}\n";
        let theme = parse(text).unwrap();
        let colors: Vec<_> = theme.colors.iter().collect();
        let (paper, red) = (String::from("paper"), String::from("soft-red"));
        let values = [String::from("#0b1622"), String::from("#5a2a31")];
        assert_eq!(colors, [(&paper, &values[0]), (&red, &values[1])]);
        assert_eq!(theme.corners_percent, Some(40));
        assert_eq!(theme.font_width_percent, 115);
        assert_eq!(parse("--gk-corners: 0").unwrap().corners_percent, Some(0));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "color: red",
            "--gk-paper #101820",
            ".a { --gk-ink: #000000 } .b { --gk-ink: #ffffff }",
            ".a { --gk-ink: #000000",
            "/* --gk-ink: #000000",
            "--gk-corners: round",
            "--gk-corners: -1",
            "--gk-corners:",
            "--gk-font-width: 1.155",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
