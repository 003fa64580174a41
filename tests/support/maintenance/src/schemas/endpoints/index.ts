import { z } from 'zod'
import { endpoint } from '../../../../../../src/schemas/endpoints/index.ts'

export const endpoints = {
  startMaintenance: endpoint('POST', 'maintenance/:id/start', { body: z.object({ id: z.int() }) }),
} as const
