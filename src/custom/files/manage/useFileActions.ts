import { type KeyboardEvent, useState } from 'react'
import { useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { type Toast, useToast } from '../../../engine/parts/ActionDialog.tsx'
import type { Endpoint, InputOf } from '../../../schemas/define/endpoint.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import {
  type Entry,
  freeName,
  joinPath,
  pathText,
  type RawPath,
  rawFromText,
  shownPath,
} from '../transfer/remotePath.ts'
import type { OpenFolder } from '../transfer/useFolder.ts'
import type { Selection } from './useSelection.ts'

/** What was copied or cut, until it is pasted. */
interface Clip {
  kind: 'copy' | 'move'
  folder: RawPath
  entries: readonly Entry[]
}

/** What is asked before something is done. */
export type FileQuestion =
  | { kind: 'create'; what: 'file' | 'folder' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'delete' | 'rights' | 'pack' | 'send' | 'move'; entries: readonly Entry[] }
  | { kind: 'unpack' | 'checksum' | 'follow'; entry: Entry }
  | { kind: 'search' | 'sizes' }
  | { kind: 'overwrite'; names: readonly string[]; paste: () => void }

export interface Rights {
  mode?: string
  owner?: string
  group?: string
  recursive?: boolean
}

interface Options {
  serverId: number
  /** `undefined` while nothing is open, and where files cannot be managed. */
  folder: OpenFolder | undefined
  /** Those on screen. */
  shown: readonly Entry[]
  selection: Selection
  /** Something has changed in a folder. @param active the entry that the keys apply to then */
  onChange: (folder: RawPath, active?: RawPath) => Promise<void>
}

/** What can be done with the files of the open folder. */
export function useFileActions({ serverId: id, folder, shown, selection, onChange }: Options) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const [question, setQuestion] = useState<FileQuestion>()
  const [clip, setClip] = useState<Clip>()
  const [isBusy, setBusy] = useState(false)
  const path = folder?.path ?? '/'
  const at = (name: RawPath) => pathText(joinPath(path, name))
  const pathsOf = (entries: readonly Entry[]) => entries.map(({ raw }) => at(raw))

  /** Has the machine do something; lists the folder again, whatever came of it. */
  async function order<E extends Endpoint>(endpoint: E, input: InputOf<E>, done: Toast, active?: RawPath) {
    setQuestion(undefined)
    setBusy(true)
    try {
      await call(endpoint, input)
      selection.clear()
      show(done)
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
      await onChange(path, active)
    }
  }

  /** What an act applies to: the selected entries, else the active one. */
  const targets = (): readonly Entry[] => {
    const selected = selection.of(shown)
    if (selected.length) return selected
    return shown.filter(({ raw }) => raw === folder?.active)
  }

  const hold = (kind: Clip['kind'], entries: readonly Entry[]) => {
    if (!entries.length) return
    setClip({ kind, folder: path, entries })
    show({ key: `app.files.manage.held.${kind}`, args: { smart_count: entries.length }, type: 'info' })
  }

  const pasteClip = ({ kind, folder: from, entries }: Clip, overwrite: boolean) => {
    const taken = new Set(folder?.entries.map(({ raw }) => raw))
    const items = entries.map(({ raw }) => ({
      from: pathText(joinPath(from, raw)),
      to: at(from === path ? freeName(raw, taken) : raw),
    }))
    if (kind === 'move') setClip(undefined)
    const input = { id, items, ...(overwrite && { overwrite }) }
    const done = { key: `app.files.manage.done.${kind}`, args: { smart_count: entries.length } }
    void order(kind === 'move' ? fileEndpoints.moveFiles : fileEndpoints.copyFiles, input, done)
  }

  const paste = () => {
    if (!clip || !folder || (clip.kind === 'move' && clip.folder === path)) return
    const taken = new Set(folder.entries.map(({ raw }) => raw))
    const existing = clip.folder === path ? [] : clip.entries.filter(({ raw }) => taken.has(raw))
    if (!existing.length) return pasteClip(clip, false)
    setQuestion({ kind: 'overwrite', names: existing.map(({ name }) => name), paste: () => pasteClip(clip, true) })
  }

  const ask = (kind: Exclude<FileQuestion['kind'], 'create' | 'search' | 'sizes' | 'overwrite'>) => {
    const entries = targets()
    const [entry] = entries
    if (!entry) return
    if (kind === 'rename' || kind === 'unpack' || kind === 'checksum' || kind === 'follow') {
      if (entries.length === 1) setQuestion({ kind, entry })
    } else setQuestion({ kind, entries })
  }

  return {
    question,
    dismiss: () => setQuestion(undefined),
    isBusy,
    clip,
    paste,
    dropClip: () => setClip(undefined),
    ask,
    askToCreate: (what: 'file' | 'folder') => setQuestion({ kind: 'create', what }),
    follow: (entry: Entry) => setQuestion({ kind: 'follow', entry }),
    askAbout: (kind: 'search' | 'sizes') => setQuestion({ kind }),
    hold: (kind: Clip['kind']) => hold(kind, targets()),
    create: (name: string, kind: 'file' | 'folder') => {
      const raw = rawFromText(name)
      const done = { key: 'app.files.manage.done.create', args: { name } }
      return order(fileEndpoints.createFile, { id, path: at(raw), kind }, done, raw)
    },
    rename: (entry: Entry, name: string) => {
      const raw = rawFromText(name)
      const done = { key: 'app.files.manage.done.rename', args: { name } }
      return order(fileEndpoints.moveFiles, { id, items: [{ from: at(entry.raw), to: at(raw) }] }, done, raw)
    },
    moveTo: (entries: readonly Entry[], to: RawPath, overwrite: boolean) => {
      const items = entries.map(({ raw }) => ({ from: at(raw), to: pathText(joinPath(to, raw)) }))
      const done = { key: 'app.files.manage.done.move', args: { smart_count: entries.length } }
      return order(fileEndpoints.moveFiles, { id, items, ...(overwrite && { overwrite }) }, done)
    },
    remove: (entries: readonly Entry[]) => {
      const done = { key: 'app.files.manage.done.delete', args: { smart_count: entries.length } }
      return order(fileEndpoints.deleteFiles, { id, paths: pathsOf(entries) }, done)
    },
    pack: (entries: readonly Entry[], name: string) => {
      const raw = rawFromText(name)
      const format = /\.zip$/i.test(name) ? 'zip' : 'tar.gz'
      const done = { key: 'app.files.manage.done.create', args: { name } }
      return order(fileEndpoints.packFiles, { id, paths: pathsOf(entries), to: at(raw), format }, done, raw)
    },
    unpack: (entry: Entry, name: string) => {
      const raw = rawFromText(name)
      const done = { key: 'app.files.manage.done.create', args: { name } }
      return order(fileEndpoints.unpackFile, { id, path: at(entry.raw), to: at(raw) }, done, raw)
    },
    setRights: (entries: readonly Entry[], rights: Rights) => {
      const done = { key: 'app.files.manage.done.rights', args: { smart_count: entries.length } }
      return order(fileEndpoints.setFileRights, { id, paths: pathsOf(entries), ...rights }, done)
    },
    pathsOf,
    /** Handles the keys of a file manager. @returns whether it was one */
    onKey: (event: KeyboardEvent): boolean => {
      const keys: Record<string, () => void> = {
        F2: () => ask('rename'),
        F6: () => ask('move'),
        F7: () => setQuestion({ kind: 'create', what: 'folder' }),
        F8: () => ask('delete'),
        Delete: () => ask('delete'),
        Escape: selection.clear,
      }
      const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a'
      // With another key they are for the browser and the system.
      const isOther = event.ctrlKey || event.metaKey || event.altKey
      const act = isAll ? () => selection.set(shown) : isOther ? undefined : keys[event.key]
      if (!act || (event.key === 'Escape' && selection.isEmpty)) return false
      act()
      return true
    },
    /** Ctrl-C and Ctrl-X: the paths as text, for elsewhere, and the files, for another folder. */
    onHold: (event: ClipboardEvent, kind: Clip['kind']) => {
      const entries = targets()
      if (!entries.length) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', entries.map(({ raw }) => shownPath(joinPath(path, raw))).join('\n'))
      hold(kind, entries)
    },
  }
}

export type FileActions = ReturnType<typeof useFileActions>
