import { keysOf } from '../define/values.ts'

/**
 * Codes with which a server closes the socket of a session that it cannot open on the machine, an extension of this
 * server: others close with 1006, after ten seconds without a byte (docs/contract/CONTRACT.md#10-websockets). Codes from
 * 4000 on are free for applications.
 */
export const sessionCloseCodes = {
  /** Command execution is disabled in the settings of the machine. */
  disabled: 4001,
  /** The machine did not open the session within ten seconds. */
  silent: 4002,
  /** Too many sessions are open on the machine. */
  busy: 4003,
  /** The machine went offline meanwhile. */
  offline: 4004,
} as const

export type SessionCloseReason = keyof typeof sessionCloseCodes

/** The reason for the code of a closed socket; `undefined` for all other codes. */
export function reasonOfCode(code: number): SessionCloseReason | undefined {
  const reasons = keysOf(sessionCloseCodes)
  return reasons.find((reason) => sessionCloseCodes[reason] === code)
}
