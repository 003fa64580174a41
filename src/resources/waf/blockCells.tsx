import Typography from '@mui/material/Typography'
import { useListContext, useRecordContext, useTranslate } from 'react-admin'
import { IsoTime, isoText } from '../../components/cells/IsoTime.tsx'
import { useServerClock } from '../../live/serverClock.ts'
import { blockedUntil, blockIdentifiers } from '../../schemas/waf.ts'
import { useUserName } from '../user/useUserName.ts'

/** The user that the offences targeted, or the text of a known code; unknown codes are shown as numbers. */
export function BlockIdentifier() {
  const code = (useRecordContext()?.block_identifier as number | undefined) ?? 0
  const user = useUserName(code > 0 ? code : undefined)
  const translate = useTranslate()
  if (code > 0) return <>{user}</>
  return <>{blockIdentifierText(code, translate)}</>
}

/** The text of a code that names no user; unknown codes are shown as numbers. */
export function blockIdentifierText(code: number, translate: (key: string) => string): string {
  const name = (blockIdentifiers as Readonly<Record<number, string>>)[code]
  return name ? translate(`resources.waf.choices.block_identifier.${name}`) : String(code || '')
}

/** The time of the last offence; the wire has seconds. */
export function BlockTime() {
  const seconds = useRecordContext()?.block_timestamp as number | undefined
  return seconds ? <IsoTime at={seconds * 1000} /> : null
}

/** The time of the last offence as text; the wire has seconds. */
export const offenceTime = ({ block_timestamp }: object & { block_timestamp?: unknown }): string => {
  const seconds = Number(block_timestamp ?? 0)
  return seconds ? isoText(seconds * 1000) : ''
}

interface Offence {
  ip?: string
  count?: number
  block_timestamp?: number
  blocked_until?: number
}

/** The latest time that `Date` can represent, in ms since 1970: a block beyond it is permanent. */
const maxDateValue = 8.64e15

/**
 * When the block ends, as the server says. At servers that do not, all rows of an address count together, and some may be
 * on other pages: then the earliest possible end is shown.
 */
export function BlockedUntil() {
  const record = useRecordContext()
  const { data = [], total = 0 } = useListContext()
  const now = useServerClock()
  const translate = useTranslate()
  if (!record) return null
  const said = (record as Offence).blocked_until
  const end = (said ?? blockedUntil(offencesOf(record.ip, data))) * 1000
  if (end > maxDateValue) return <>{translate('resources.waf.values.for_ever')}</>
  const time = isoText(end)
  const isOver = end <= now
  if (said === undefined && data.length < total) {
    return <>{translate(`resources.waf.values.${isOver ? 'or_later' : 'at_least_until'}`, { time })}</>
  }
  if (!isOver) return <IsoTime at={end} />
  return (
    <Typography component="span" variant="inherit" color="textSecondary">
      {translate('resources.waf.values.over_since', { time })}
    </Typography>
  )
}

/** When the block of a row ends, as the server says or by all rows of its address; `undefined` for a permanent block. */
export function lastBlockEnd(row: object, rows: readonly object[]): string | undefined {
  const { ip, blocked_until: said } = row as Offence
  const end = (said ?? blockedUntil(offencesOf(ip, rows as readonly Offence[]))) * 1000
  return end > maxDateValue ? undefined : isoText(end)
}

const byAddress = new WeakMap<readonly Offence[], Map<string | undefined, Offence[]>>()

/** All rows of an address; grouped once per list of rows. */
function offencesOf(ip: string | undefined, rows: readonly Offence[]): readonly Offence[] {
  let groups = byAddress.get(rows)
  if (!groups) {
    groups = Map.groupBy(rows, (row) => row.ip)
    byAddress.set(rows, groups)
  }
  return groups.get(ip) ?? []
}
