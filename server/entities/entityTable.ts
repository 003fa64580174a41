import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Store } from '../db/store.ts'
import type { Table } from '../db/table.ts'
import { compileEntity } from './compileEntity.ts'
import type { Row } from './row.ts'

/** The table that holds the records of an entity. */
export const entityTable = (store: Store, entity: Entity): Table<Row> => store.table<Row>(compileEntity(entity).table)
