import type {
  Notification,
  OutgoingMessage,
  PostedMessage,
  PublishableMessages,
} from "../../src/channel-messages.ts";
import type {
  NotificationContext,
  NotificationReply,
  NotificationSpec,
  NotificationTarget,
} from "../../src/discord/declare/events.ts";

/** Declares a notification that exists only in a test: the contract has neither its name nor its facts. */
export function testEvent<F>(declaration: {
  readonly name: string;
  readonly to?: (facts: F) => NotificationTarget;
  readonly run: (ctx: NotificationContext, facts: F) => NotificationReply;
}): NotificationSpec {
  return declaration as unknown as NotificationSpec;
}

export interface TestNotification {
  readonly name: string;
  readonly facts: unknown;
}

export type TestMessage = Omit<OutgoingMessage, keyof Notification> & TestNotification;

/** Channel messages that accept such notifications. */
export interface TestChannelMessages extends Omit<PublishableMessages, "post" | "edit"> {
  post(message: TestMessage): Promise<PostedMessage>;
  edit(place: PostedMessage, message: TestMessage): Promise<void>;
}
