/** What an event of a Discord server says about a stream or premiere. */
export interface ScheduledEvent {
  /** 1 to 100 characters; longer ones are cut. */
  readonly name: string;
  /** At most 1,000 characters; longer ones are cut. */
  readonly description?: string | undefined;
  /** Where it takes place: the address of the video. The event is found again by it. */
  readonly url: string;
  /**
   * Milliseconds since the epoch. Discord begins the event at `startsAt`, so it must move when the stream is late, and ends it at
   * `endsAt`, so that must move when the stream goes on.
   */
  readonly startsAt: number;
  readonly endsAt: number;
  /** Address of the cover picture. An event without one is fine, so a picture that can't be read is left out. */
  readonly pictureUrl?: string | undefined;
  /** `over` and `cancelled` are final. */
  readonly state: "scheduled" | "active" | "over" | "cancelled";
}

/** The events that the bot makes in servers, and keeps in step with streams. */
export interface ScheduledEvents {
  /**
   * Makes an event that is scheduled or active, and returns its id; one that should have begun already begins half a minute
   * later, because Discord takes no past start. Discord has no guard against a second one, so look with `find` first if an earlier try
   * may have made it. @throws AccessError `discord_events_forbidden` without the permission; LimitError `discord_events_full`
   * where the server has 100, or `discord_limit` with `retryAt`; InputError `discord_event_refused`; ServiceError and NetworkError where it may pass, with
   * `outcome` `unknown` where the event may have been made.
   */
  create(guildId: string, event: ScheduledEvent): Promise<string>;
  /**
   * Makes an event what it should be, through whichever states lie between. One that is already over or cancelled stays as it
   * is. @throws as `create`; AccessError `discord_event_gone`.
   */
  change(guildId: string, eventId: string, event: ScheduledEvent): Promise<void>;
  /** The id of the bot's own event at that address that is scheduled or active. @throws as `create`. */
  find(guildId: string, url: string): Promise<string | undefined>;
}
