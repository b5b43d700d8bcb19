import { subscriptionListActions } from "./lists.ts";
import { askUnsubscribe, subscribeAction, unsubscribeNow } from "./subscribe.ts";

/** What the buttons about subscriptions do. */
export const subscriptionActions = [
  ...subscriptionListActions,
  subscribeAction,
  askUnsubscribe,
  unsubscribeNow,
] as const;

export { openSubscribers, openSubscriptions, subscriptionListOptions } from "./lists.ts";
export { askUnsubscribeFrom, subscribe } from "./subscribe.ts";
