import { endpoint } from '../../../../../../src/schemas/define/endpoint.ts'

export const endpoints = {
  startDrill: endpoint('POST', 'drill/:id/start', { scopes: ['wheelhouse:drill:write'] }),
} as const
