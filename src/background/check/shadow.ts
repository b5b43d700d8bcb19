import { refusal } from "../refusal.ts";
import { foregroundTypes, type RemoveBackgroundRequest, shadowTypes } from "../types.ts";
import { shown } from "./choices.ts";

const kinds: readonly string[] = [...foregroundTypes.filter((type) => type !== "auto"), "other"];

export function checkShadow(request: RemoveBackgroundRequest): void {
  const { addShadow, shadowType, shadowOpacity } = request;
  if (addShadow === true && shadowType !== undefined) {
    throw refusal("multiple_shadow_params", "add_shadow together with shadow_type");
  }
  if (!everyOf(shadowType, (value) => shadowTypes.some((type) => type === value))) {
    throw refusal("invalid_shadow_type", `shadow_type ${shown(shadowType)}`);
  }
  if (!everyOf(shadowOpacity, isOpacity)) {
    throw refusal("invalid_shadow_opacity", `shadow_opacity ${shown(shadowOpacity)}`);
  }
}

/** Of one value for all, or of one for each kind of subject. */
function everyOf(value: unknown, test: (one: unknown) => boolean): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return test(value);
  return Object.entries(value).every(([kind, one]) => kinds.includes(kind) && test(one));
}

function isOpacity(value: unknown): boolean {
  if (value === "auto") return true;
  const isDigits = typeof value === "string" && /^\d{1,3}(?:\.\d{1,7})?$/.test(value);
  const percent = isDigits ? Number(value) : value;
  return typeof percent === "number" && percent >= 0 && percent <= 100;
}
