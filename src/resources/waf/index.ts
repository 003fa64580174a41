import { defineResource } from '../../engine/define/defineResource.ts'
import { waf } from '../../schemas/waf.ts'
import { columns } from './columns.tsx'

export default defineResource(waf, {
  columns,
  card: { beside: [], metrics: ['count', 'block_reason'], below: ['until'] },
})
