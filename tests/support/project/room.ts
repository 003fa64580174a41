/** A folder with everything below it, or a single file, unless a longer entry of the table is about it. */
export interface Room {
  holds: string
  /**
   * What it may import beside itself: rooms, single files and packages; only types with `type ` in front. A room that
   * is named does not include the rooms below it that have an entry of their own.
   */
  imports: readonly string[]
}
