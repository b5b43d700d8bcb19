import { expect, it } from "vitest";
import { createNonce, type Notification } from "../src/channel-messages.ts";
import { notice, notification } from "../src/discord/index.ts";

it("lets no notification compile whose name or facts are wrong, neither where it is sent nor where it is declared", () => {
  const facts = { guildId: "1", channelId: "2", isSevenDays: true };
  const right: Notification = { name: "grant-gone", facts };
  // @ts-expect-error no such notification is declared
  const unknown: Notification = { name: "grant-lost", facts };
  // @ts-expect-error these are the facts of another notification
  const mistaken: Notification = { name: "feed-off", facts };
  const reply = notice({ tone: "neutral", title: "x" });
  notification({ name: "grant-gone", run: (_, { isSevenDays }) => (isSevenDays ? reply : reply) });
  // @ts-expect-error no such notification is declared
  notification({ name: "grant-lost", run: () => reply });
  // @ts-expect-error the notification has no such fact
  notification({ name: "grant-gone", run: (_, { feed }) => (feed ? reply : reply) });

  expect([right, unknown, mistaken]).toHaveLength(3);
});

it("makes the same nonce of the same words, as long as Discord takes it", () => {
  expect(createNonce("a", "b")).toBe(createNonce("a", "b"));
  expect(createNonce("a", "b")).not.toBe(createNonce("a", "c"));
  expect(createNonce("a")).toHaveLength(25);
});
