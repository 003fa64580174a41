import type { Row, TextContext } from '../../records/queryRows.ts'
import type { FileColumns } from '../../resources/engine/define/column.ts'
import { blockIdentifierText, lastBlockEnd, offenceTime } from '../cells/blockCells.tsx'
import { userNameIn } from './userNames.ts'

/** Whom the offences targeted: a user, or the text of a code. */
function identifierText({ block_identifier }: Row, context: TextContext): string {
  const code = Number(block_identifier ?? 0)
  return code > 0 ? userNameIn(context, code) : blockIdentifierText(code, context.language.translate)
}

export const blockFile: FileColumns = {
  block_identifier: [{ text: identifierText }],
  block_timestamp: [{ text: offenceTime }],
  // The file has all rows of an address, so that its end is certain.
  until: [
    {
      text: (row, { rows, language }) => lastBlockEnd(row, rows) ?? language.translate('resources.waf.values.for_ever'),
    },
  ],
}
