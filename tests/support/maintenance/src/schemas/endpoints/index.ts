import { endpoint } from '../../../../../../src/schemas/define/endpoint.ts'

export const endpoints = {
  startMaintenance: endpoint('POST', 'maintenance/:id/start'),
} as const
