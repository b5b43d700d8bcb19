import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import {
  emptyPage,
  type PageState,
  type Waiting,
} from "../../../src/sandbox/platform/page/state/page.ts";
import { stopTyping, take } from "../../../src/sandbox/platform/page/state/take.ts";
import { answered, begin, refused } from "../../../src/sandbox/platform/page/state/waiting.ts";
import type { HelloEvent } from "../../../src/sandbox/platform/protocol.ts";
import { bot, botMessage, people } from "../../support/fake-platform.ts";

const hello: HelloEvent = {
  type: "hello",
  me: people.owner,
  people: Object.values(people),
  guild: { id: "1", name: "Test" },
  channels: [{ id: "500", name: "general", type: 0 }],
  threads: [],
  roles: [],
  directChannelId: "d",
  bot,
  online: true,
  commands: [],
  messages: [],
  locale: "en-US",
  attachmentLimit: 10,
  expressions: { emojis: [], stickers: [] },
};

const press: Waiting = {
  key: "a",
  kind: "component",
  channelId: "500",
  label: "",
  messageId: "7",
  customId: "go",
};

const withForm = (state: PageState): PageState =>
  take(state, {
    type: "form",
    interactionId: "9",
    form: { custom_id: "f", title: "F", components: [] },
  });

describe("take", () => {
  it("orders messages by id, a longer one after a shorter", () => {
    const ids = ["1000", "999", "1001"];
    const messages = ids.map((id) => botMessage({ id }));

    const state = messages.reduce(
      (before: PageState, message: APIMessage) => take(before, { type: "message", message }),
      take(emptyPage, hello),
    );

    expect(state.messages.map(({ id }) => id)).toEqual(["999", "1000", "1001"]);
  });

  it("puts an edited message where the old one was", () => {
    const first = take(take(emptyPage, hello), {
      type: "message",
      message: botMessage({ id: "1" }),
    });

    const state = take(first, {
      type: "message",
      message: botMessage({ id: "1", content: "new" }),
    });

    expect(state.messages.map(({ content }) => content)).toEqual(["new"]);
  });

  it("keeps an open form over a new connection, but not over a change of person", () => {
    const open = withForm(take(emptyPage, hello));

    expect(take(open, hello).form).toBeDefined();
    expect(take(open, { ...hello, me: people.member }).form).toBeUndefined();
  });

  it("lets nothing wait for an end that a broken connection may have swallowed", () => {
    const form: Waiting = { key: "b", kind: "form", channelId: "500", label: "" };
    const begun = begin(begin(take(emptyPage, hello), press), form);

    const { waiting } = take(begun, hello);

    expect(waiting.map(({ key }) => key)).toEqual(["b"]);
    expect(waiting[0]?.failed).toContain("The connection was lost.");
  });

  it("stays in a channel that is still there", () => {
    const other = {
      ...hello,
      channels: [...hello.channels, { id: "501", name: "other", type: 0 }],
    };

    expect(take({ ...emptyPage, channelId: "501" }, other).channelId).toBe("501");
    expect(take({ ...emptyPage, channelId: "501" }, hello).channelId).toBe("500");
  });
});

describe("what is under way", () => {
  it.each([
    [
      "after the act's answer",
      (state: PageState) =>
        take(answered(state, "a", "5"), { type: "settled", interactionId: "5" }),
    ],
    [
      "before the act's answer",
      (state: PageState) =>
        answered(take(state, { type: "settled", interactionId: "5" }), "a", "5"),
    ],
  ])("ends when it settles %s", (_, settle) => {
    const state = settle(begin(take(emptyPage, hello), press));

    expect(state.waiting).toEqual([]);
  });

  it("keeps a failure until the next press on that message", () => {
    const failed = refused(begin(take(emptyPage, hello), press), "a", "No.");
    const again = begin(failed, { ...press, key: "b" });

    expect(failed.waiting).toEqual([{ ...press, failed: "No." }]);
    expect(again.waiting.map(({ key }) => key)).toEqual(["b"]);
  });

  it("ends with the reply that names its interaction", () => {
    const begun = answered(begin(take(emptyPage, hello), press), "a", "5");
    const message = botMessage({ interaction_metadata: { id: "5" } });

    expect(take(begun, { type: "message", message }).waiting).toEqual([]);
  });
});

describe("somebody who types", () => {
  const typing = { type: "typing", channelId: "500", userId: bot.id } as const;
  const { type: _, ...who } = typing;
  const state = take(take(take(emptyPage, hello), typing), typing);

  it("is there once, until they write in that channel or have not for a while", () => {
    const elsewhere = botMessage({ channel_id: "501" });
    const here = botMessage({ channel_id: "500" });

    expect(state.typing).toEqual([who]);
    expect(take(state, { type: "message", message: elsewhere }).typing).toEqual([who]);
    expect(take(state, { type: "message", message: here }).typing).toEqual([]);
    expect(stopTyping(state, who).typing).toEqual([]);
  });

  it("is still there when an older message is edited", () => {
    const old = { ...state, messages: [botMessage({ id: "3", channel_id: "500" })] };
    const message = botMessage({ id: "3", channel_id: "500", content: "changed" });

    expect(take(old, { type: "message", message }).typing).toEqual([who]);
  });
});
