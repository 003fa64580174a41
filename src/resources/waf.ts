import { AddressCell } from '../custom/cells/AddressCell.tsx'
import {
  BlockedUntil,
  BlockIdentifier,
  BlockTime,
  blockedUntilText,
  blockTimeText,
} from '../custom/cells/blockCells.tsx'
import { waf } from '../schemas/waf.ts'
import { column, defineResource, derived } from './engine/define/defineResource.ts'

export default defineResource(waf, {
  path: 'settings/waf',
  menu: { tabOf: 'settings' },
  nameField: 'ip',
  columns: [
    column('ip', AddressCell),
    column('count', undefined, { align: 'end', width: 80 }),
    'block_reason',
    column('block_identifier', BlockIdentifier),
    column('block_timestamp', BlockTime, { text: blockTimeText }),
    derived('until', BlockedUntil, { text: blockedUntilText }),
  ],
})
