//! The buzzer's sound: a square wave that follows the tones of the board. A browser allows sound only after a press,
//! so it starts with the first one. This module does not know the board.

const VOLUME = 0.06;
/** Duration of the fades between silence and tone in seconds; they avoid clicks. */
const FADE = 0.004;

export class Speaker {
  private context: AudioContext | null = null;
  private oscillator: OscillatorNode | null = null;
  private volume: GainNode | null = null;
  private hz = 0;
  muted = false;

  /** Must be called while a press is handled: only then may the page start its sound. */
  wake(): void {
    if (this.context) {
      if (this.context.state === "suspended") void this.context.resume();
      return;
    }
    if (typeof AudioContext !== "function") return;
    this.context = new AudioContext();
    this.volume = this.context.createGain();
    this.volume.gain.value = 0;
    this.oscillator = this.context.createOscillator();
    this.oscillator.type = "square";
    this.oscillator.connect(this.volume).connect(this.context.destination);
    this.oscillator.start();
    this.follow();
  }

  /** Sets the buzzer's tone from now on; 0 is silence. */
  play(hz: number): void {
    if (hz === this.hz) return;
    this.hz = hz;
    this.follow();
  }

  /** Schedules the tones of the span that was just played, each after its own delay in seconds. */
  play_span(tones: { after: number; hz: number }[]): void {
    const { context, oscillator, volume } = this;
    for (const { after, hz } of tones) {
      this.hz = hz;
      if (!context || !oscillator || !volume) continue;
      const at = context.currentTime + Math.max(0, after);
      if (hz > 0) oscillator.frequency.setValueAtTime(hz, at);
      volume.gain.setTargetAtTime(hz > 0 && !this.muted ? VOLUME : 0, at, FADE);
    }
  }

  /** Ends the sound. */
  close(): void {
    void this.context?.close();
  }

  mute(muted: boolean): void {
    this.muted = muted;
    this.follow();
  }

  private follow(): void {
    const { context, oscillator, volume } = this;
    if (!context || !oscillator || !volume) return;
    const now = context.currentTime;
    volume.gain.cancelScheduledValues(now);
    if (this.hz > 0) oscillator.frequency.setValueAtTime(this.hz, now);
    volume.gain.setTargetAtTime(this.hz > 0 && !this.muted ? VOLUME : 0, now, FADE);
  }
}
