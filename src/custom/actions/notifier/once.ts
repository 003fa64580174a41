/** A query that is sent when its dialog opens and when somebody asks for it again, and never by itself. */
export const once = {
  gcTime: 0,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
