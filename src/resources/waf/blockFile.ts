import type { FileColumns } from '../../engine/define/column.ts'
import type { Row, TextContext } from '../../records/queryRows.ts'
import { userNameIn } from '../user/userNames.ts'
import { blockIdentifierText, lastBlockEnd, offenceTime } from './blockCells.tsx'

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
