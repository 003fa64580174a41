import { writeObstacle } from './storeError.ts'

/** Writes what can be left out while the disk is full or another program holds the database. @returns whether it was written */
export function ifWritable(write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    if (!writeObstacle(error)) throw error
    return false
  }
}
