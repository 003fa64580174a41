import { type ImportKind, importKinds } from '../../../src/schemas/imports/importKinds.ts'
import { type ForeignDatabase, ForeignFileError, openForeignDatabase } from '../../db/foreignDatabase.ts'
import { beszelReader } from './beszel.ts'
import { ImportRefusal } from './importData.ts'
import { komariReader } from './komari.ts'
import { nezhaReader } from './nezha.ts'
import type { ImportReader } from './reader.ts'
import { uptimeKumaReader } from './uptimeKuma.ts'

const readers: Readonly<Record<ImportKind, ImportReader>> = {
  nezha: nezhaReader,
  'uptime-kuma': uptimeKumaReader,
  beszel: beszelReader,
  komari: komariReader,
}

/** A file that was opened as the database of a product. Close its database. */
interface ImportFile {
  database: ForeignDatabase
  reader: ImportReader
}

/** @throws ImportRefusal where it is no file of this product */
export function openImportFile(kind: ImportKind, path: string): ImportFile {
  const database = open(path)
  const reader = readers[kind]
  if (reader.recognizes(database)) return { database, reader }
  const found = Object.entries(readers).find(([, other]) => other.recognizes(database))?.[0]
  database.close()
  const product = importKinds[kind].name
  if (!isKind(found)) throw new ImportRefusal('other_product', { product })
  throw new ImportRefusal('other_product_found', { product, found: importKinds[found].name })
}

const isKind = (name: string | undefined): name is ImportKind => name !== undefined && name in importKinds

function open(path: string): ForeignDatabase {
  try {
    return openForeignDatabase(path)
  } catch (error) {
    throw error instanceof ForeignFileError ? new ImportRefusal(error.code) : error
  }
}
