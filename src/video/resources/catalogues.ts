import type { ResourceBase } from "./shared.ts";

export interface I18nLanguage extends ResourceBase {
  readonly id?: string;
  /** `hl` is what a parameter of that name takes. */
  readonly snippet?: { readonly hl?: string; readonly name?: string };
}

export interface I18nRegion extends ResourceBase {
  readonly id?: string;
  /** `gl` is what a `regionCode` takes. */
  readonly snippet?: { readonly gl?: string; readonly name?: string };
}

export interface VideoCategory extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly title?: string;
    /** Only such a category can be given to a video. */
    readonly assignable?: boolean;
    readonly channelId?: string;
  };
}

export interface VideoAbuseReportReason extends ResourceBase {
  readonly id?: string;
  readonly snippet?: {
    readonly label?: string;
    /** When there are some, one of them belongs in the report. */
    readonly secondaryReasons?: readonly { readonly id?: string; readonly label?: string }[];
  };
}
