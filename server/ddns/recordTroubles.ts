import { recordKey, type UpdateResult, type UpdateResults } from './updateResults.ts'

/** A record that stays wrong after all tries, or does so no more. */
export interface DdnsTrouble {
  /** `withdrawn`: nothing has recovered; the record is not wanted any more, or cannot be updated as it is configured. */
  change: 'began' | 'ended' | 'withdrawn'
  /** The last one of the record. */
  result: UpdateResult
}

/** Which records people are told of. */
export interface RecordTroubles {
  /** The results of those that stay wrong, as far as `tell` has told of them, or this server before its start. */
  lasting(): UpdateResult[]
  /** A record failed with all its tries. */
  begin(result: UpdateResult): void
  /** It was updated. */
  end(result: UpdateResult): void
  /** Nobody waits for it any more. */
  withdraw(key: string): void
  /** The keys of those that `tell` will tell of. */
  untold(): string[]
  /**
   * Tells of what is new. To be called when the results are on the disk: after the next start, what was told and what is
   * known are the same.
   */
  tell(): void
}

export function createRecordTroubles(
  results: Pick<UpdateResults, 'all'>,
  onTrouble: (trouble: DdnsTrouble) => void,
): RecordTroubles {
  const lasting = new Map<string, UpdateResult>()
  const news = new Map<string, DdnsTrouble>()
  for (const result of results.all()) if (!result.ok && result.tries > 0) lasting.set(recordKey(result), result)

  /** What began since the last `tell` and has ended was never there. */
  function endAs(change: 'ended' | 'withdrawn', key: string, result: UpdateResult | undefined): void {
    news.delete(key)
    if (result && lasting.has(key)) news.set(key, { change, result })
  }

  return {
    lasting: () => [...lasting.values()],
    begin(result) {
      const key = recordKey(result)
      news.delete(key)
      if (lasting.has(key)) lasting.set(key, result)
      else news.set(key, { change: 'began', result })
    },
    end: (result) => endAs('ended', recordKey(result), result),
    withdraw: (key) => endAs('withdrawn', key, lasting.get(key)),
    untold: () => [...news.keys()],
    tell() {
      for (const [key, trouble] of news) {
        news.delete(key)
        if (trouble.change === 'began') lasting.set(key, trouble.result)
        else lasting.delete(key)
        onTrouble(trouble)
      }
    },
  }
}
