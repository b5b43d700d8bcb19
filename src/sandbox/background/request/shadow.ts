import type { Form } from "./form.ts";

/** A shadow to draw: its shape, and how dark it is, 0 to 1. */
export interface Shadow {
  readonly kind: "car" | "3D" | "drop";
  readonly opacity: number;
}

/** What `auto` means (facts/background-removal-api.json, shadow_type and shadow_opacity). */
const automatic = {
  car: ["car", 90],
  product: ["drop", 50],
  person: ["3D", 50],
  animal: ["drop", 50],
  transportation: ["3D", 50],
  graphic: ["drop", 50],
  other: ["drop", 50],
} as const satisfies Record<string, readonly [Shadow["kind"], number]>;

export type Foreground = keyof typeof automatic;

/**
 * The shadow of one kind of foreground: its own setting goes before the one for all, and without either it has none.
 * `add_shadow` is the older way to say `shadow_type[car]=car`.
 */
export function shadowOf(texts: Form["texts"], foreground: Foreground): Shadow | undefined {
  const older = texts.get("add_shadow") === "true" && foreground === "car" ? "car" : undefined;
  const asked = setting(texts, "shadow_type", foreground) ?? older ?? "none";
  const [kind, opacity] = automatic[foreground];
  if (asked === "none") return undefined;
  const percent = setting(texts, "shadow_opacity", foreground) ?? "auto";
  return {
    kind: asked === "auto" ? kind : (asked as Shadow["kind"]),
    opacity: (percent === "auto" ? opacity : Number(percent)) / 100,
  };
}

function setting(texts: Form["texts"], name: string, foreground: Foreground): string | undefined {
  return texts.get(`${name}[${foreground}]`) ?? texts.get(name);
}
