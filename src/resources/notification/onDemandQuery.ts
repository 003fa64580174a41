/** Options of a query that is sent when its dialog opens and when somebody asks again, and never in the background. */
export const onDemandQuery = {
  gcTime: 0,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const
