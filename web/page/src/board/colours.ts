//! The colours of crates/session/window/src/face/colour.rs.

export const C = {
  board_top: "#154A38", board_bottom: "#0E3629", board_edge: "#2A6B54", copper: "#1F5E48", gold: "#C9A45C",
  silk: "#EEF3EA", silk_dim: "#A5C2B4", bezel_top: "#2B2E33", bezel_bottom: "#15171A", glass: "#050607",
  metal_top: "#505459", metal_bottom: "#2A2D31", metal_edge: "#80858B", cap_light: "#FBF7EA",
  cap_dark: "#CFC8B4", cap_ink: "#232A2B", reset_light: "#EE6A33", reset_dark: "#B5400F", reset_ink: "#FFFFFF",
  active: "#FFC247", lamp_off: "#3A3A34",
};
