import { endpoint } from '../../../../../../src/schemas/define/endpoint.ts'

export const endpoints = {
  startDrill: endpoint('POST', 'drill/:id/start'),
} as const
