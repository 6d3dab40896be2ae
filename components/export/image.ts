import { paintOf } from "./paint";
import { copiedSvg, type Defs, isHidden, SVG } from "./svg-copy";
import type { ExportWords } from "./table-data";

const MARGIN = 16;
const TITLE = { size: 15, line: 22 };
const NOTE = { size: 12, line: 18 };

/** An image in progress: the page position of its top left, and the patterns and clips that it refers to. */
interface Drawing {
  readonly left: number;
  readonly top: number;
  readonly defs: Defs;
}

/**
 * An element of the page as one SVG in the current theme: its drawings with their computed styles, text as text, boxes as rectangles. Title and note
 * are above it. It has no external references.
 */
export async function imageOf(root: HTMLElement, { title, note }: ExportWords): Promise<string> {
  const box = root.getBoundingClientRect();
  const family = getComputedStyle(root).fontFamily;
  const width = Math.ceil(box.width) + 2 * MARGIN;
  const lines = wrapped(note, width - 2 * MARGIN, `${NOTE.size}px ${family}`);
  const head = MARGIN + TITLE.line + lines.length * NOTE.line + 8;
  const bottom = Math.max(
    ...[...root.children].filter(isDrawn).map((child) => child.getBoundingClientRect().bottom),
    box.top,
  );
  const high = Math.ceil(Math.min(bottom, box.bottom) - box.top);
  const height = high + head + MARGIN;
  const svg = element("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const drawing: Drawing = { left: box.left, top: box.top, defs: new Map() };
  const body = element("svg", { x: MARGIN, y: head, width: Math.ceil(box.width), height: high });
  body.append(...drawn(root, drawing));
  const defs = element("defs", {});
  const style = element("style", {});
  style.textContent = `${await embeddedFonts(family)}\ntext{font-variant-numeric:tabular-nums;white-space:pre}`;
  defs.append(style, ...drawing.defs.values());
  const about = element("title", {});
  about.textContent = title;
  svg.append(about, defs, backdrop(root, width, height), ...heading(root, title, lines, family), body);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlSafe(new XMLSerializer().serializeToString(svg))}\n`;
}

/** True if an element occupies space in the image. */
function isDrawn(element: Element): boolean {
  return !isHidden(element, getComputedStyle(element));
}

/** The first background behind an element. */
function backdrop(root: Element, width: number, height: number): SVGElement {
  let at: Element | null = root;
  while (at !== null && paintOf(getComputedStyle(at).backgroundColor) === undefined) at = at.parentElement;
  const paint = at === null ? undefined : paintOf(getComputedStyle(at).backgroundColor);
  return element("rect", { width, height, fill: paint?.hex ?? "#ffffff" });
}

function heading(root: Element, title: string, lines: readonly string[], family: string): readonly SVGElement[] {
  const { color } = getComputedStyle(root);
  const fill = paintOf(color)?.hex ?? "#000000";
  const text = (words: string, y: number, { size }: { readonly size: number }, weight: number): SVGElement => {
    const line = element("text", {
      x: MARGIN,
      y,
      fill,
      "font-family": family,
      "font-size": `${size}px`,
      "font-weight": weight,
    });
    line.textContent = words;
    return line;
  };
  return [
    text(title, MARGIN + TITLE.size, TITLE, 600),
    ...lines.map((line, index) => text(line, MARGIN + TITLE.line + NOTE.size + index * NOTE.line, NOTE, 400)),
  ];
}

/** Every visible part of an element and its descendants, in painting order. */
function drawn(source: Element, drawing: Drawing): readonly SVGElement[] {
  const style = getComputedStyle(source);
  const box = source.getBoundingClientRect();
  // Text for screen readers only is one pixel large.
  if (isHidden(source, style) || (box.width <= 1 && box.height <= 1 && style.overflow === "hidden")) return [];
  const at = { x: box.left - drawing.left, y: box.top - drawing.top };
  if (source instanceof SVGSVGElement) return placedSvg(source, at, style, drawing);
  const inside = [...source.childNodes].flatMap((child) =>
    child instanceof Element ? drawn(child, drawing) : child instanceof Text ? textLines(child, style, drawing) : [],
  );
  const parts = [...boxOf(style, at, box), ...(clipsContent(style) ? [clipped(inside, at, box)] : inside)];
  if (style.opacity === "1" || parts.length === 0) return parts;
  const group = element("g", { opacity: style.opacity });
  group.append(...parts);
  return [group];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function placedSvg(
  source: SVGSVGElement,
  at: Place,
  style: CSSStyleDeclaration,
  drawing: Drawing,
): readonly SVGElement[] {
  const copy = copiedSvg(source, drawing.defs);
  const { width, height } = source.getBoundingClientRect();
  if (copy === undefined || width === 0 || height === 0) return [];
  for (const [name, value] of Object.entries({ ...at, width, height })) copy.setAttribute(name, String(round(value)));
  // A scaled SVG keeps its own viewBox.
  const [ownWidth, ownHeight] = [source.clientWidth, source.clientHeight];
  if (
    !copy.hasAttribute("viewBox") &&
    ownWidth > 0 &&
    (Math.abs(ownWidth - width) > 1 || Math.abs(ownHeight - height) > 1)
  ) {
    copy.setAttribute("viewBox", `0 0 ${ownWidth} ${ownHeight}`);
    copy.setAttribute("preserveAspectRatio", "none");
  }
  if (style.overflow === "visible") copy.setAttribute("overflow", "visible");
  return [copy];
}

function clipsContent({ overflowX, overflowY }: CSSStyleDeclaration): boolean {
  return overflowX !== "visible" || overflowY !== "visible";
}

/** Parts that are clipped by a box. */
function clipped(parts: readonly SVGElement[], { x, y }: Place, { width, height }: DOMRect): SVGElement {
  const frame = [x, y, width, height].map(round);
  const [left = 0, top = 0, wide = 0, high = 0] = frame;
  const svg = element("svg", { x: left, y: top, width: wide, height: high, viewBox: frame.join(" ") });
  svg.append(...parts);
  return svg;
}

/** The background of a box, and its border if all sides have one. */
function boxOf(style: CSSStyleDeclaration, { x, y }: Place, { width, height }: DOMRect): readonly SVGElement[] {
  const fill = paintOf(style.backgroundColor);
  const line = Number.parseFloat(style.borderTopWidth);
  const stroke = line > 0 && Number.parseFloat(style.borderLeftWidth) > 0 ? paintOf(style.borderTopColor) : undefined;
  if ((fill === undefined && stroke === undefined) || width === 0 || height === 0) return [];
  const inset = stroke === undefined ? 0 : line / 2;
  const box = element("rect", {
    x: round(x + inset),
    y: round(y + inset),
    width: round(width - 2 * inset),
    height: round(height - 2 * inset),
    fill: fill?.hex ?? "none",
    rx: Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2),
  });
  if (fill !== undefined && fill.opacity < 1) box.setAttribute("fill-opacity", String(fill.opacity));
  if (stroke !== undefined) {
    box.setAttribute("stroke", stroke.hex);
    box.setAttribute("stroke-width", String(line));
    if (style.borderTopStyle === "dashed") box.setAttribute("stroke-dasharray", "3 2");
  }
  return [box];
}

/** The lines of a text with their positions. */
function textLines(node: Text, style: CSSStyleDeclaration, drawing: Drawing): readonly SVGElement[] {
  const paint = paintOf(style.color);
  if (paint === undefined || node.data.trim() === "") return [];
  const { ascent, descent } = fontMeasures(style);
  return linesOf(node).map(({ text, box }) => {
    const baseline = box.top + (box.height - ascent - descent) / 2 + ascent;
    const line = element("text", {
      x: round(box.left - drawing.left),
      y: round(baseline - drawing.top),
      fill: paint.hex,
      "font-family": style.fontFamily,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
      "font-style": style.fontStyle,
      "letter-spacing": style.letterSpacing,
    });
    if (paint.opacity < 1) line.setAttribute("fill-opacity", String(paint.opacity));
    line.textContent = text;
    return line;
  });
}

interface Line {
  readonly text: string;
  readonly box: DOMRect;
}

/** Joins neighbouring words into lines: the browser reports single words, not line breaks. */
function linesOf(node: Text): readonly Line[] {
  const range = document.createRange();
  const lines: Line[] = [];
  for (const { 0: word, index } of node.data.matchAll(/\S+\s*/gu)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const box = range.getClientRects()[0];
    if (box === undefined || box.width === 0) continue;
    const text = word.replace(/\s+/gu, " ");
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.box.top - box.top) < 2) {
      lines[lines.length - 1] = { text: last.text + text, box: last.box };
    } else lines.push({ text, box });
  }
  return lines;
}

function fontMeasures({ font, fontSize }: CSSStyleDeclaration): { readonly ascent: number; readonly descent: number } {
  const measured = textMeasures("x", font);
  const size = Number.parseFloat(fontSize);
  return {
    ascent: measured?.fontBoundingBoxAscent ?? size * 0.97,
    descent: measured?.fontBoundingBoxDescent ?? size * 0.24,
  };
}

function textMeasures(text: string, font: string): TextMetrics | undefined {
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) return undefined;
  canvas.font = font;
  return canvas.measureText(text);
}

/** A text broken into lines of a width. In a script without spaces, a line may break anywhere. */
function wrapped(text: string, width: number, font: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/gu) ?? []) {
    const last = lines.at(-1);
    const fits = last !== undefined && (textMeasures((last + word).trimEnd(), font)?.width ?? 0) <= width;
    if (fits) lines[lines.length - 1] = last + word;
    else lines.push(word.trimStart());
  }
  return lines;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (key !== "xmlns") made.setAttribute(key, String(value));
  return made;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Replaces characters that XML forbids, such as a terminal's in a title, by the replacement character. */
function xmlSafe(xml: string): string {
  return xml.replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu, "\uFFFD");
}

/**
 * The page's own typeface as a style sheet that embeds it: an image is opened without the page's files. Empty if the page has none, or if it cannot
 * be read; the image then names the system's typefaces.
 */
async function embeddedFonts(family: string): Promise<string> {
  const wanted = family.split(",", 1)[0]?.trim() ?? "";
  const rules = await Promise.all(fontFaces(wanted).map(embedded));
  return rules.join("\n");
}

/** The rules that load a family, with their base address. */
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
