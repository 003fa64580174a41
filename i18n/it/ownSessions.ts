export const ownSessions = {
  own_sessions: {
    title: 'Dove hai effettuato l’accesso',
    hint: 'Ogni posto in cui questo account è connesso in questo momento. Termina quelli che non riconosci, poi cambia la password.',
    end_others: 'Termina tutte le altre',
    others_ended: 'Tutte le altre sessioni sono terminate.',
    ended: 'La sessione è terminata.',
    end: 'Termina sessione',
    end_named: 'Termina sessione: %{device} %{address}',
    current: 'Questa sessione',
    since: 'dal',
    unknown_device: 'Dispositivo sconosciuto',
  },
}
