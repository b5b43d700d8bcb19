import type { Base } from "./shared.ts";

export interface I18nLanguage extends Base {
  readonly id?: string;
  /** `hl` is what a parameter of that name takes. */
  readonly snippet?: { readonly hl?: string; readonly name?: string };
}

export interface I18nRegion extends Base {
  readonly id?: string;
  /** `gl` is what a `regionCode` takes. */
  readonly snippet?: { readonly gl?: string; readonly name?: string };
}
