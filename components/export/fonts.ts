/**
 * The page's own typeface as a style sheet that holds it whole: a picture is opened where the page's files are not at hand. Empty where the
 * page has none, or where it cannot be read; the picture then names the system's typefaces.
 */
export async function embeddedFonts(family: string): Promise<string> {
  const wanted = family.split(",", 1)[0]?.trim() ?? "";
  const rules = await Promise.all(fontFaces(wanted).map(embedded));
  return rules.join("\n");
}

/** The rules that load a family, with the address that their own addresses are relative to. */
function fontFaces(family: string): readonly { readonly rule: CSSFontFaceRule; readonly base: string }[] {
  return [...document.styleSheets].flatMap((sheet) => {
    const rules = [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
    const base = sheet.href ?? location.href;
    return rules
      .filter(({ style }) => unquoted(style.getPropertyValue("font-family")) === unquoted(family))
      .map((rule) => ({ rule, base }));
  });
}

async function embedded({ rule, base }: { readonly rule: CSSFontFaceRule; readonly base: string }): Promise<string> {
  const address = /url\(["']?([^"')]+)["']?\)/u.exec(rule.style.getPropertyValue("src"))?.[1];
  if (address === undefined) return "";
  const answer = await fetch(new URL(address, base));
  if (!answer.ok) return "";
  const source = await dataUrl(await answer.blob());
  const weight = rule.style.getPropertyValue("font-weight") || "normal";
  return `@font-face{font-family:${rule.style.getPropertyValue("font-family")};font-weight:${weight};src:url(${source}) format("woff2")}`;
}

function unquoted(family: string): string {
  return family.trim().replace(/^["']|["']$/gu, "");
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The typeface could not be read."));
    reader.readAsDataURL(blob);
  });
}
