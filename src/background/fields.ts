import type { PerType, RemoveBackgroundRequest, RequestNotice } from "./types.ts";

/** By the service's names; booleans stay what they are where a body knows them. */
export type Fields = readonly (readonly [name: string, value: string | boolean])[];

/** The fields of a checked request, but for its pictures. `size` always goes out: the service's own default is a preview. */
export function fieldsOf(request: RemoveBackgroundRequest): Fields {
  const { size = "auto", crop, bgColor } = request;
  const fields = [
    ["size", size === "regular" ? "small" : size],
    ["format", request.format],
    ["type", request.type],
    ["type_level", request.typeLevel],
    ["channels", request.channels],
    ["roi", spaced(request.roi)],
    ["crop", crop],
    ["crop_margin", crop === true ? spaced(request.cropMargin) : undefined],
    ["scale", request.scale?.trim()],
    ["position", spaced(request.position)],
    ["semitransparency", request.semitransparency],
    ...perType("shadow_type", shadowTypeOf(request)),
    ...perType("shadow_opacity", request.shadowOpacity),
    ["bg_color", bgColor?.trim().replace(/^#/, "")],
    ["bg_image_url", request.bgImageUrl],
  ] as const;
  return fields.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, typed(value)] as const],
  );
}

/** What was asked for and goes out differently, or not at all. */
export function noticesOf(request: RemoveBackgroundRequest): readonly RequestNotice[] {
  const { size, addShadow, shadowMethod, crop, cropMargin } = request;
  const given: readonly (readonly [RequestNotice, boolean])[] = [
    ["size_regular", size === "regular"],
    ["add_shadow", addShadow === true],
    ["shadow_method", shadowMethod !== undefined],
    ["crop_margin_unused", Boolean(cropMargin) && crop !== true],
  ];
  return given.flatMap(([notice, isGiven]) => (isGiven ? [notice] : []));
}

/** Its words with one blank between them, as the service's own examples have them. */
function spaced(text: string | undefined): string | undefined {
  return text?.trim().replace(/\s+/g, " ");
}

function shadowTypeOf({ addShadow, shadowType }: RemoveBackgroundRequest) {
  return addShadow === true ? ({ car: "car" } as const) : shadowType;
}

/** `shadow_type`, or `shadow_type[car]` and so on (facts, removebg_params). */
function perType<T extends string | number>(name: string, value: PerType<T> | undefined) {
  if (typeof value !== "object") return [[name, value] as const];
  return Object.entries(value).map(([type, one]) => [`${name}[${type}]`, one] as const);
}

function typed(value: string | number | boolean): string | boolean {
  return typeof value === "number" ? String(value) : value;
}
