export async function studio(..._a: unknown[]): Promise<void> {}
