/** Somebody, or a channel of somebody's, that can be picked on the consent page. */
export interface Account {
  /** Stays the same, whatever the account is called. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The channel it speaks for; undefined when it has none. */
  readonly channelId: string | undefined;
  /** Colour of its sign, 0 to 360. */
  readonly hue: number;
}
