import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import { settingQuery } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { fileUploadEndpoints } from '../../../schemas/endpoints/fileUploadEndpoints.ts'
import { isUploadPartName, type LeftPart } from '../../../schemas/inspect/fileUploads.ts'
import { type Items, itemsByName, pathText } from '../transfer/entries.ts'
import type { OpenFolder } from '../transfer/useFolder.ts'

const none: Items = new Map()

/**
 * What the machine's own programs say about the open folder, asked for each time it is listed. Servers without such
 * calls are not asked.
 */
export function useFolderItems(serverId: number, folder: OpenFolder | undefined) {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  // The session of the files asks for the settings.
  const setting = useQuery({ ...settingQuery(dataProvider), enabled: false }).data
  const isKnown = setting?.wheelhouse?.inspect === true
  const path = folder?.path ?? ''
  const query = useQuery({
    queryKey: ['files', serverId, path],
    queryFn: () => dataProvider.call(fileEndpoints.folder, { id: serverId, path: pathText(path) }),
    // Asked below, whenever the folder was listed.
    enabled: false,
    // That files can be managed here holds while the next folder is on its way.
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const entries = folder?.entries
  const ask = useEvent(() => void query.refetch())
  const isAsked = isKnown && path.startsWith('/')
  useEffect(() => {
    if (isAsked && entries) ask()
  }, [isAsked, entries, ask])
  const { data, isPlaceholderData } = query
  const items = useMemo(() => (data && !isPlaceholderData ? itemsByName(data.items) : none), [data, isPlaceholderData])
  return {
    items,
    /** Whether files can be managed here. */
    isManaged: data !== undefined && data.cause === undefined,
    /** Whether that is not known yet. */
    isPending: isAsked && query.isPending,
    /** Why not, where the machine was asked. */
    answer: data,
  }
}

const noParts: readonly LeftPart[] = []

/**
 * The parts of uploads in the open folder that nobody has gone on with for a while, whoever began them.
 * @param folder left out where the machine cannot say it. It is asked only about a folder that has parts
 */
export function useLeftParts(serverId: number, folder: OpenFolder | undefined): readonly LeftPart[] {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const entries = folder?.entries
  const parts = useMemo(
    () => (entries ?? []).filter(({ raw }) => isUploadPartName(raw)).map(({ raw }) => raw),
    [entries],
  )
  const query = useQuery({
    // Whenever the folder is read again and has others.
    queryKey: ['left-parts', serverId, folder?.path, parts],
    queryFn: async () =>
      (await call(fileUploadEndpoints.leftParts, { id: serverId, path: pathText(folder?.path ?? '/') })).items,
    enabled: parts.length > 0,
    gcTime: 0,
    retry: false,
  })
  return (parts.length > 0 && query.data) || noParts
}
