import type { WalkedEntry } from './walkFiles.ts'

const blockBytes = 512
/** Bytes of the field of a name, and of that of the target of a link. */
const nameBytes = 100

/** Zero bytes up to the end of a block. */
export const paddingOf = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)

/** Two blocks of zeros end an archive. */
export const endOfArchive = Buffer.alloc(2 * blockBytes)

const types = { file: '0', link: '2', folder: '5' } as const

/**
 * The header of an entry, in the format of GNU: its names are bytes of any number, which those of POSIX (`pax`) are not.
 * Everything that reads archives reads it.
 * @param size bytes of the content that follows; 0 for what is no file
 */
export function tarHeader(
  entry: Pick<WalkedEntry, 'relative' | 'mode' | 'modified' | 'owner' | 'group' | 'target'>,
  kind: keyof typeof types,
  size = 0,
): Buffer {
  const name = kind === 'folder' ? Buffer.concat([entry.relative, Buffer.from('/')]) : entry.relative
  const target = entry.target ?? Buffer.alloc(0)
  return Buffer.concat([
    ...(name.length > nameBytes ? longName('L', name) : []),
    ...(target.length > nameBytes ? longName('K', target) : []),
    block({ ...entry, name, target, type: types[kind], size }),
  ])
}

/** An entry of its own that says the name of the next one. */
function longName(type: 'L' | 'K', name: Buffer): Buffer[] {
  const content = Buffer.concat([name, Buffer.alloc(1)])
  const nobody = { id: 0, name: '' }
  const header = block({
    name: Buffer.from('././@LongLink'),
    target: Buffer.alloc(0),
    type,
    size: content.length,
    mode: 0,
    modified: 0,
    owner: nobody,
    group: nobody,
  })
  return [header, content, paddingOf(content.length)]
}

interface HeaderFields extends Pick<WalkedEntry, 'mode' | 'modified' | 'owner' | 'group'> {
  name: Buffer
  target: Buffer
  type: string
  size: number
}

function block({ name, target, type, size, mode, modified, owner, group }: HeaderFields): Buffer {
  const header = Buffer.alloc(blockBytes)
  name.copy(header, 0, 0, nameBytes)
  number(header, 100, 8, mode)
  number(header, 108, 8, owner.id)
  number(header, 116, 8, group.id)
  number(header, 124, 12, size)
  number(header, 136, 12, modified)
  // The checksum is counted with spaces in its own place.
  header.write('        ', 148)
  header.write(type, 156)
  target.copy(header, 157, 0, nameBytes)
  header.write('ustar  \0', 257)
  header.write(owner.name.slice(0, 31), 265, 'latin1')
  header.write(group.name.slice(0, 31), 297, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/**
 * In octal digits and a zero byte; a number that has too many of them, or is below zero, in binary, behind a byte that says so.
 */
function number(header: Buffer, at: number, length: number, value: number): void {
  const digits = value.toString(8)
  if (value >= 0 && digits.length < length) {
    header.write(digits.padStart(length - 1, '0'), at)
    return
  }
  header[at] = value < 0 ? 0xff : 0x80
  for (let place = at + length - 1, rest = value; place > at; place -= 1, rest = Math.floor(rest / 256)) {
    header[place] = ((rest % 256) + 256) % 256
  }
}
