import { AddressCell } from '../custom/cells/AddressCell.tsx'
import { BlockedUntil, BlockIdentifier, BlockTime } from '../custom/cells/blockCells.tsx'
import { waf } from '../schemas/waf.ts'
import { column, derived } from './engine/define/column.ts'
import { defineResource } from './engine/define/defineResource.ts'

export default defineResource(waf, {
  path: 'settings/waf',
  menu: { tabOf: 'settings' },
  file: async () => (await import('../custom/export/blockFile.ts')).blockFile,
  columns: [
    column('ip', AddressCell),
    column('count', undefined, { align: 'end', width: 80 }),
    'block_reason',
    column('block_identifier', BlockIdentifier, { related: ['user'] }),
    column('block_timestamp', BlockTime),
    derived('until', BlockedUntil),
  ],
})
