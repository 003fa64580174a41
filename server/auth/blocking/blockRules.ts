import type { Offences } from '../../../src/schemas/waf.ts'

/** Why a row was written, as the wire numbers it (docs/contract/CONTRACT.md#6-enumerations). */
export const blockReasons = { loginFailed: 1, tokenAttack: 2, agentAttack: 3, byAdmin: 4, oauth2Attack: 5 } as const

/** Whose account a failure was aimed at: the id of a user, or one of these. */
export const blockIdentifiers = { agent: -127, token: -126, unknownUser: -125, byAdmin: -124 } as const

export type BlockReason = (typeof blockReasons)[keyof typeof blockReasons]

/** The failures of one address of one kind, those to sign in against one account. */
export interface FailureRow extends Required<Offences> {
  /** As `addressGroup` writes it. */
  ip: string
  block_identifier: number
  block_reason: number
  /** What stands for a name that does not exist; else ''. */
  account: string
  /** What stands for a browser in which somebody signed in before; else ''. */
  browser: string
}

/**
 * What somebody tries to do. Failures of one kind keep an address from the same kind only: an agent with a wrong secret
 * keeps no person out. A passkey signs in without a name. Browsers in which somebody signed in before are judged by their
 * own failures alone (`KnownBrowsers`), so that others' guesses hold up none of them.
 */
export type Attempt =
  | { kind: 'sign-in'; account: Account; browser?: string }
  | { kind: 'passkey' | 'oauth2'; browser?: string }
  | { kind: 'api-token' | 'agent' }

/** The id of a user, or a text that stands for a name that does not exist. */
export type Account = number | string

/** Why an attempt is refused: failures for this account, for many accounts, of another kind, or an administrator. */
export interface Block {
  reason: 'account' | 'address' | 'passkey' | 'api-token' | 'agent' | 'oauth2' | 'by-admin'
  /** Seconds since 1970; infinite for a block by an administrator. */
  until: number
}

/** Seconds, whatever the formula says. */
const shortestPause = 3

/**
 * Seconds. One guess a day more is no help to a guesser, and who comes to the address for the first time need not wait for
 * weeks.
 */
const longestPause = 86_400

/** So many failures are no slip of a person any more: from here on the pause grows faster. */
const steepFrom = 7

/**
 * So many wrong sign-ins for other accounts than the one that failed most are no slips of several people any more: then
 * the address may sign in to no account. With `steepFrom`, this allows 13 guesses on the first day, however they are
 * spread over accounts, as many as when every failure blocked the whole address (docs/security.md).
 */
const manyElsewhere = 4

/** Seconds until the next attempt after so many failures; of real servers it is always the fourth power. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPause, Math.max(shortestPause, failures < steepFrom ? failures ** 4 : failures ** 5))

/** The block that keeps an address from an attempt. @param rows of the address @param now seconds since 1970 */
export function blockFor(rows: readonly FailureRow[], attempt: Attempt, now: number): Block | undefined {
  const block = latestBlock(rows, attempt)
  return block && block.until > now ? block : undefined
}

/** When the block that a row takes part in ends. @param rows of its address @returns seconds since 1970, or infinite */
export const blockEnd = (rows: readonly FailureRow[], row: FailureRow): number =>
  latestBlock(rows, attemptOf(row))?.until ?? 0

/** What the failures of one kind have in common. */
const columns = ['block_identifier', 'block_reason', 'account', 'browser'] as const

function latestBlock(rows: readonly FailureRow[], attempt: Attempt): Block | undefined {
  if (rows.some(isByAdmin)) return { reason: 'by-admin', until: Number.POSITIVE_INFINITY }
  const failure = failureOf(attempt)
  const own = rows.find((row) => columns.every((name) => row[name] === failure[name]))
  const { kind } = attempt
  const ownBlock: Block | undefined = own && {
    reason: kind === 'sign-in' ? 'account' : kind,
    until: own.block_timestamp + pauseAfter(own.count),
  }
  const isStranger = kind === 'sign-in' && attempt.browser === undefined
  const addressBlock = isStranger ? blockOfManyAccounts(rows) : undefined
  return addressBlock && addressBlock.until > (ownBlock?.until ?? 0) ? addressBlock : ownBlock
}

function blockOfManyAccounts(rows: readonly FailureRow[]): Block | undefined {
  const signIns = rows.filter((row) => row.block_reason === blockReasons.loginFailed && row.browser === '')
  const counts = signIns.map(({ count }) => count)
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all - Math.max(0, ...counts) < manyElsewhere) return undefined
  return { reason: 'address', until: Math.max(...signIns.map((row) => row.block_timestamp)) + pauseAfter(all) }
}

export const isByAdmin = ({ block_identifier }: FailureRow) => block_identifier === blockIdentifiers.byAdmin

/** What the failures of a row were attempts at. */
function attemptOf(row: FailureRow): Attempt {
  const { block_reason, block_identifier, account } = row
  const browser = row.browser === '' ? undefined : row.browser
  if (block_reason === blockReasons.agentAttack) return { kind: 'agent' }
  if (block_reason === blockReasons.tokenAttack) return { kind: 'api-token' }
  if (block_reason === blockReasons.oauth2Attack) return { kind: 'oauth2', browser }
  if (block_identifier > 0) return { kind: 'sign-in', account: block_identifier, browser }
  return account === '' ? { kind: 'passkey', browser } : { kind: 'sign-in', account, browser }
}

/** How the failure of an attempt is written (docs/contract/CONTRACT.md#6-enumerations). */
export function failureOf(attempt: Attempt): Pick<FailureRow, (typeof columns)[number]> {
  const { agent, token, unknownUser } = blockIdentifiers
  const { loginFailed, tokenAttack, agentAttack, oauth2Attack } = blockReasons
  const row = { account: '', browser: ('browser' in attempt && attempt.browser) || '' }
  switch (attempt.kind) {
    case 'agent':
      return { ...row, block_identifier: agent, block_reason: agentAttack }
    case 'api-token':
      return { ...row, block_identifier: token, block_reason: tokenAttack }
    case 'oauth2':
      return { ...row, block_identifier: token, block_reason: oauth2Attack }
    case 'passkey':
      return { ...row, block_identifier: unknownUser, block_reason: loginFailed }
    case 'sign-in': {
      const { account } = attempt
      return typeof account === 'number'
        ? { ...row, block_identifier: account, block_reason: loginFailed }
        : { ...row, account, block_identifier: unknownUser, block_reason: loginFailed }
    }
  }
}
