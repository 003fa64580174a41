/**
 * One JSON value as it was written. Numbers keep their text, because error messages quote it and because it may be
 * more than a JavaScript number holds.
 */
export type JsonNode =
  | { kind: 'object'; entries: [key: string, value: JsonNode][]; source: string }
  | { kind: 'array'; items: JsonNode[]; source: string }
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string }
  | { kind: 'bool'; value: boolean }
  | { kind: 'null' }
