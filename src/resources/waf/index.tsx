import Typography from '@mui/material/Typography'
import { useListContext, useRecordContext, useTranslate } from 'react-admin'
import { AddressCell } from '../../components/cells/AddressCell.tsx'
import { IsoTime, isoText } from '../../components/cells/IsoTime.tsx'
import { column, defineResource, derived } from '../../engine/define/defineResource.ts'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row, TextContext } from '../../records/queryRows.ts'
import { blockedUntil, blockIdentifiers, waf } from '../../schemas/waf.ts'
import { userNameIn, useUserName } from '../user/names.ts'

export default defineResource(waf, {
  columns: [
    column('ip', { Cell: AddressCell }),
    column('count', { align: 'end', width: 80 }),
    column('block_reason'),
    column('block_identifier', { Cell: BlockIdentifier, file: identifierText, needs: ['user'] }),
    column('block_timestamp', {
      Cell: BlockTime,
      file: ({ block_timestamp: seconds }: Block) => (seconds ? isoText(seconds * 1000) : ''),
    }),
    derived('until', {
      Cell: BlockedUntil,
      // The file has all rows of an address, so that its end is certain.
      file: (row: Block, { rows, language }) =>
        lastBlockEnd(row, rows) ?? language.translate('resources.waf.values.for_ever'),
    }),
  ],
  card: { beside: [], metrics: ['count', 'until'], below: ['block_reason'] },
})

type Block = Row<typeof waf>

/** The user that the offences targeted, or the text of a known code; unknown codes are shown as numbers. */
function BlockIdentifier() {
  const code = useRecordContext<Block>()?.block_identifier ?? 0
  const user = useUserName(code > 0 ? code : undefined)
  const translate = useTranslate()
  if (code > 0) return <>{user}</>
  return <>{codeText(code, translate)}</>
}

/** The text of a code that names no user; unknown codes are shown as numbers. */
function codeText(code: number, translate: (key: string) => string): string {
  const name = (blockIdentifiers as Readonly<Record<number, string>>)[code]
  return name ? translate(`resources.waf.choices.block_identifier.${name}`) : String(code || '')
}

/** The time of the last offence; the wire has seconds. */
function BlockTime() {
  const seconds = useRecordContext<Block>()?.block_timestamp
  return seconds ? <IsoTime at={seconds * 1000} /> : null
}

/** The latest time that `Date` can represent, in ms since 1970: a block beyond it is permanent. */
const maxDateValue = 8.64e15

/**
 * When the block ends, as the server says. At servers that do not, all rows of an address count together, and some may be
 * on other pages: then the earliest possible end is shown.
 */
function BlockedUntil() {
  const record = useRecordContext<Block>()
  const { data = [], total = 0 } = useListContext<Block>()
  const now = useServerClock()
  const translate = useTranslate()
  if (!record) return null
  const said = record.blocked_until
  const end = (said ?? blockedUntil(blocksOf(record.ip, data))) * 1000
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
function lastBlockEnd({ ip, blocked_until: said }: Block, rows: readonly Block[]): string | undefined {
  const end = (said ?? blockedUntil(blocksOf(ip, rows))) * 1000
  return end > maxDateValue ? undefined : isoText(end)
}

const byAddress = new WeakMap<readonly Block[], Map<string, Block[]>>()

/** All rows of an address; grouped once per list of rows. */
function blocksOf(ip: string, rows: readonly Block[]): readonly Block[] {
  let groups = byAddress.get(rows)
  if (!groups) {
    groups = Map.groupBy(rows, (row) => row.ip)
    byAddress.set(rows, groups)
  }
  return groups.get(ip) ?? []
}

/** Whom the offences targeted: a user, or the text of a code. */
function identifierText(
  { block_identifier: code = 0 }: Block,
  context: Pick<TextContext, 'related' | 'language'>,
): string {
  return code > 0 ? userNameIn(context, code) : codeText(code, context.language.translate)
}
