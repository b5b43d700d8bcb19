import { describe, expect, it } from "vitest";
import { formatted } from "../../../src/discord/draw/text.ts";
import {
  checkTemplate,
  fillTemplate,
  type TemplateValues,
} from "../../../src/features/announcements/template.ts";

const shown = (template: string, values: Partial<TemplateValues>) => {
  const filled = fillTemplate(template, values);
  return filled === undefined ? undefined : formatted(filled).replaceAll("\\", "");
};

describe("a template", () => {
  it("is filled once, so that a title stays a title", () => {
    const values = { channel: "{title}", title: "{kind} $& $1", kind: "Short" };

    expect(shown("{channel}: {title} ({kind}) {x} {}", values)).toBe(
      "{title}: {kind} $& $1 (Short) {x} {}",
    );
  });

  it("escapes texts, and leaves addresses and times as they are", () => {
    const url = { markup: "https://www.youtube.com/watch?v=a" };

    const filled = fillTemplate("**{title}** {url}", { title: "@everyone [x](y)", url });

    expect(formatted(filled ?? "")).toBe(
      "\\*\\*\\@everyone \\[x\\]\\(y\\)\\*\\* https://www.youtube.com/watch?v=a",
    );
  });

  it.each([
    ["{title} · {duration} · {game}", "T · Gaming"],
    ["{title} ({duration})", "T"],
    ["{title} ({kind}, {duration})", "T (video)"],
    ["{channel} plays {tags} now!", "C plays now!"],
    ["Starts {starts}. {title} is new.", "T is new."],
    ["{title}, {duration}.", "T."],
    ["New video! {duration}", "New video!"],
    ["{tags} {title}", "T"],
    ["新しい動画。長さ{duration}。{title}をどうぞ。", "新しい動画。Tをどうぞ。"],
    ["{starts} – {title} – {duration}", "T"],
    ["A, B {duration}. C {title}", "A. C T"],
    ["{title} “{tags}”", "T"],
    ["{duration}{starts}", undefined],
    ["Length: {duration}", undefined],
    ["Nothing to fill", "Nothing to fill"],
  ])("%s says %s where nothing is known of length, start and tags", (template, text) => {
    const values = { title: "T", channel: "C", kind: "video", game: "Gaming" };

    expect(shown(template, values)).toBe(text);
  });

  it.each([
    ["{views}", "template_placeholder"],
    ["{ title }", "template_placeholder"],
    ["{}", "template_placeholder"],
    ["a {Title} b", "template_placeholder"],
    ["{channel.name}", "template_placeholder"],
    ["{constructor}", "template_placeholder"],
    ["Hey @everyone", "template_ping"],
    ["@HERE!", "template_ping"],
    ["@every\u200bone", "template_ping"],
    ["@\u2060here", "template_ping"],
    ["＠everyone", "template_ping"],
    ["<@&123456789012345678>", "template_ping"],
    ["<@123456789012345678> look", "template_ping"],
    ["<\u200b@&1>", "template_ping"],
    ["{title}".repeat(21), "template_crowded"],
  ])("may not be %s", (template, code) => {
    expect(() => checkTemplate(template)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    "",
    "{title}{channel}{url}{duration}{starts}{thumbnail}{tags}{game}{kind}",
    "} {",
    "{{title}}",
    "{a\nb}",
    "Ask @hereford, or @everyones",
  ])("may be %s", (template) => {
    expect(() => checkTemplate(template)).not.toThrow();
  });
});
