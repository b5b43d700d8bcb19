export type Inline =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "strong" | "em" | "underline" | "strike" | "spoiler";
      readonly children: readonly Inline[];
    }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  | { readonly type: "user" | "role" | "channel"; readonly id: string }
  | { readonly type: "command"; readonly id: string; readonly name: string }
  | { readonly type: "everyone"; readonly name: string }
  | {
      readonly type: "emoji";
      readonly id: string;
      readonly name: string;
      readonly isAnimated: boolean;
    }
  | { readonly type: "time"; readonly unixSeconds: number; readonly style: string };

export type Block =
  | { readonly type: "text" | "subtext"; readonly children: readonly Inline[] }
  | {
      readonly type: "heading";
      readonly level: 1 | 2 | 3;
      readonly children: readonly Inline[];
    }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly type: "code"; readonly language: string; readonly text: string };

export interface Item {
  readonly children: readonly Inline[];
  readonly lists: readonly Block[];
}
