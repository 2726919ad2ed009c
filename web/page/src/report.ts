export function report_players(..._a: unknown[]): void {}
