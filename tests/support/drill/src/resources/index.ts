import type { Resource } from '../../../../../src/resources/engine/define/defineResource.ts'
import { resources as ours } from '../../../../../src/resources/index.ts'
import drill from './drill.ts'

export const resources: readonly Resource[] = [...ours, drill]
