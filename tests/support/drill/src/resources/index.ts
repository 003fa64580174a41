import type { Resource } from '../../../../../src/engine/define/defineResource.ts'
import { resources as ours } from '../../../../../src/resources/index.ts'
import drill from './drill/index.ts'

export const resources: readonly Resource[] = [...ours, drill]
