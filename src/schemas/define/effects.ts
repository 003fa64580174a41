import type { TokenScope } from './access.ts'

/**
 * What a call can lead to that nobody may do who has found an open console. What is asked for before it follows from
 * this alone:
 *
 * - `command`: a program of somebody's choice runs on a machine, or somebody gets its shell and files
 * - `access`: somebody gets in, is kept out, or reaches more than before: accounts, owners, shares, settings
 * - `opening`: what only a machine could reach is reached from outside
 * - `secret`: a stored secret is shown, or a new one takes its place
 * - `credential`: a way to sign in, or a token, that stays when this session has ended
 */
export const effects = ['command', 'access', 'opening', 'secret', 'credential'] as const
export type Effect = (typeof effects)[number]

/**
 * Who has to prove again who is at the keyboard when the last proof is old. `configured`: those whom the settings name,
 * and after the time that they name; `always`: everybody, and after 15 minutes at the latest.
 */
export type Proof = 'configured' | 'always'

export const proofBefore = (effect: Effect | undefined): Proof | undefined =>
  effect && (effect === 'credential' ? 'always' : 'configured')

/** What saving a form can lead to beyond what its call says, and the scope that an API token needs for that. */
export interface Consequence {
  leadsTo: Effect
  scope: TokenScope
}
