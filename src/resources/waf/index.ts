import { AddressCell } from '../../components/cells/AddressCell.tsx'
import { column, derived } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { waf } from '../../schemas/waf.ts'
import { BlockedUntil, BlockIdentifier, BlockTime } from './blockCells.tsx'

export default defineResource(waf, {
  file: async () => (await import('./blockFile.ts')).blockFile,
  columns: [
    column('ip', AddressCell),
    column('count', undefined, { align: 'end', width: 80 }),
    'block_reason',
    column('block_identifier', BlockIdentifier, { related: ['user'] }),
    column('block_timestamp', BlockTime),
    derived('until', BlockedUntil),
  ],
})
