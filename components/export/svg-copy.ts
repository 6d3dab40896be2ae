import { paintOf } from "./paint";

export const SVG = "http://www.w3.org/2000/svg";

/** Attributes of position and shape; all other styles of an element are computed from the page's style sheets. */
const SHAPES = new Set(
  "d x y x1 x2 y1 y2 dx dy cx cy r rx ry points width height transform viewBox preserveAspectRatio id patternUnits patternTransform clipPathUnits textLength lengthAdjust offset".split(
    " ",
  ),
);

/** Computed styles that an image keeps, with the default that need not be written. */
const STYLES: readonly (readonly [property: string, plain: string])[] = [
  ["stroke-width", "1px"],
  ["stroke-dasharray", "none"],
  ["stroke-linecap", "butt"],
  ["stroke-linejoin", "miter"],
  ["opacity", "1"],
  ["fill-rule", "nonzero"],
  ["shape-rendering", "auto"],
  ["text-anchor", "start"],
  ["dominant-baseline", "auto"],
  ["clip-path", "none"],
  ["paint-order", "normal"],
];
const FONTS = ["font-family", "font-size", "font-weight", "font-style", "letter-spacing"] as const;

/** Elements drawn by reference: patterns and clips, by id. */
export type Defs = Map<string, Element>;

/** True if an element is invisible, or is marked as no part of an image. */
export function isHidden(element: Element, style: CSSStyleDeclaration): boolean {
  return (
    style.display === "none" ||
    style.visibility === "hidden" ||
    style.opacity === "0" ||
    element.getAttribute("data-image") === "off"
  );
}

/** A copy of a drawing with its computed styles, so that it looks the same without the page's style sheets. */
export function copiedSvg(source: Element, defs: Defs): SVGElement | undefined {
  const style = getComputedStyle(source);
  if (isHidden(source, style) && source.localName !== "clipPath") return undefined;
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (SHAPES.has(name)) copy.setAttribute(name, value);
  writeStyle(copy, style, source);
  for (const reference of referencesOf(copy)) keepDefinition(reference, source, defs);
  for (const child of source.childNodes) {
    if (child instanceof Element) copy.append(...[copiedSvg(child, defs)].filter((one) => one !== undefined));
    else if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? "");
  }
  return copy;
}

const GROUPS = new Set(["svg", "g", "defs", "clipPath", "pattern", "title", "desc"]);

function writeStyle(copy: SVGElement, style: CSSStyleDeclaration, source: Element): void {
  for (const [property, plain] of STYLES) {
    const value = style.getPropertyValue(property);
    if (
      value !== plain &&
      value !== "" &&
      (property === "opacity" || property === "clip-path" || !GROUPS.has(source.localName))
    ) {
      copy.setAttribute(property, value.replaceAll('"', ""));
    }
  }
  if (GROUPS.has(source.localName)) return;
  for (const property of ["fill", "stroke"] as const) writePaint(copy, style, property);
  if (source.localName === "text" || source.localName === "tspan") {
    for (const property of FONTS) copy.setAttribute(property, style.getPropertyValue(property));
  }
}

function writePaint(copy: SVGElement, style: CSSStyleDeclaration, property: "fill" | "stroke"): void {
  const value = style.getPropertyValue(property);
  if (value.startsWith("url(")) {
    copy.setAttribute(property, value.replaceAll('"', ""));
    return;
  }
  const paint = paintOf(value);
  if (paint === undefined) {
    if (property === "fill") copy.setAttribute("fill", "none");
    return;
  }
  const opacity = paint.opacity * Number(style.getPropertyValue(`${property}-opacity`));
  copy.setAttribute(property, paint.hex);
  if (opacity < 1) copy.setAttribute(`${property}-opacity`, String(Number(opacity.toFixed(3))));
}

function referencesOf(copy: SVGElement): readonly string[] {
  return ["fill", "stroke", "clip-path"].flatMap(
    (name) => /^url\(#([^)]+)\)/u.exec(copy.getAttribute(name) ?? "")?.[1] ?? [],
  );
}

function keepDefinition(id: string, source: Element, defs: Defs): void {
  if (defs.has(id)) return;
  const definition = document.getElementById(id);
  if (definition === null || source.closest("svg")?.contains(definition) === true) return;
  // Stored before it is copied: a definition that refers to itself would be copied without end.
  defs.set(id, definition);
  const copy = copiedSvg(definition, defs);
  if (copy !== undefined) defs.set(id, copy);
}
