/** Why a row was written, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const blockReasons = { loginFailed: 1, tokenAttack: 2, agentAttack: 3, byAdmin: 4, oauth2Attack: 5 } as const

/** Whose account a failure was aimed at: the id of a user, or one of these. */
export const blockIdentifiers = { agent: -127, token: -126, unknownUser: -125, byAdmin: -124 } as const

export type BlockReason = (typeof blockReasons)[keyof typeof blockReasons]
