/* Golden values of every operation, made by make_ops.py with PyTorch. Not for editing. */
/* clang-format off */
static tg_tensor golden_build(int number, const tg_tensor *x) {
    switch (number) {
    case 0: return tg_add(x[0], x[1]);
    case 1: return tg_add(x[0], x[1]);
    case 2: return tg_add(x[0], x[1]);
    case 3: return tg_add(x[0], x[1]);
    case 4: return tg_add(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 5: return tg_add(x[0], x[0]);
    case 6: return tg_sub(x[0], x[1]);
    case 7: return tg_sub(x[0], x[1]);
    case 8: return tg_sub(x[0], x[1]);
    case 9: return tg_sub(x[0], x[1]);
    case 10: return tg_sub(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 11: return tg_sub(x[0], x[0]);
    case 12: return tg_mul(x[0], x[1]);
    case 13: return tg_mul(x[0], x[1]);
    case 14: return tg_mul(x[0], x[1]);
    case 15: return tg_mul(x[0], x[1]);
    case 16: return tg_mul(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 17: return tg_mul(x[0], x[0]);
    case 18: return tg_div(x[0], x[1]);
    case 19: return tg_div(x[0], x[1]);
    case 20: return tg_div(x[0], x[1]);
    case 21: return tg_div(x[0], x[1]);
    case 22: return tg_div(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 23: return tg_div(x[0], x[0]);
    case 24: return tg_div(x[0], x[1]);
    case 25: return tg_maximum(x[0], x[1]);
    case 26: return tg_maximum(x[0], x[1]);
    case 27: return tg_maximum(x[0], x[1]);
    case 28: return tg_maximum(x[0], x[1]);
    case 29: return tg_maximum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 30: return tg_maximum(x[0], x[0]);
    case 31: return tg_maximum(x[0], x[1]);
    case 32: return tg_minimum(x[0], x[1]);
    case 33: return tg_minimum(x[0], x[1]);
    case 34: return tg_minimum(x[0], x[1]);
    case 35: return tg_minimum(x[0], x[1]);
    case 36: return tg_minimum(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 37: return tg_minimum(x[0], x[0]);
    case 38: return tg_minimum(x[0], x[1]);
    case 39: return tg_neg(x[0]);
    case 40: return tg_neg(tg_transpose(x[0], 0, 1));
    case 41: return tg_neg(x[0]);
    case 42: return tg_neg(x[0]);
    case 43: return tg_neg(x[0]);
    case 44: return tg_exp(x[0]);
    case 45: return tg_exp(tg_transpose(x[0], 0, 1));
    case 46: return tg_exp(x[0]);
    case 47: return tg_exp(x[0]);
    case 48: return tg_exp(x[0]);
    case 49: return tg_log(x[0]);
    case 50: return tg_log(x[0]);
    case 51: return tg_sqrt(x[0]);
    case 52: return tg_sqrt(x[0]);
    case 53: return tg_square(x[0]);
    case 54: return tg_square(tg_transpose(x[0], 0, 1));
    case 55: return tg_square(x[0]);
    case 56: return tg_square(x[0]);
    case 57: return tg_square(x[0]);
    case 58: return tg_abs(x[0]);
    case 59: return tg_abs(tg_transpose(x[0], 0, 1));
    case 60: return tg_abs(x[0]);
    case 61: return tg_abs(x[0]);
    case 62: return tg_abs(x[0]);
    case 63: return tg_tanh(x[0]);
    case 64: return tg_tanh(tg_transpose(x[0], 0, 1));
    case 65: return tg_tanh(x[0]);
    case 66: return tg_tanh(x[0]);
    case 67: return tg_tanh(x[0]);
    case 68: return tg_sigmoid(x[0]);
    case 69: return tg_sigmoid(tg_transpose(x[0], 0, 1));
    case 70: return tg_sigmoid(x[0]);
    case 71: return tg_sigmoid(x[0]);
    case 72: return tg_sigmoid(x[0]);
    case 73: return tg_relu(x[0]);
    case 74: return tg_relu(tg_transpose(x[0], 0, 1));
    case 75: return tg_relu(x[0]);
    case 76: return tg_relu(x[0]);
    case 77: return tg_relu(x[0]);
    case 78: return tg_silu(x[0]);
    case 79: return tg_silu(tg_transpose(x[0], 0, 1));
    case 80: return tg_silu(x[0]);
    case 81: return tg_silu(x[0]);
    case 82: return tg_silu(x[0]);
    case 83: return tg_gelu(x[0]);
    case 84: return tg_gelu(tg_transpose(x[0], 0, 1));
    case 85: return tg_gelu(x[0]);
    case 86: return tg_gelu(x[0]);
    case 87: return tg_gelu(x[0]);
    case 88: return tg_gelu_tanh(x[0]);
    case 89: return tg_gelu_tanh(tg_transpose(x[0], 0, 1));
    case 90: return tg_gelu_tanh(x[0]);
    case 91: return tg_gelu_tanh(x[0]);
    case 92: return tg_gelu_tanh(x[0]);
    case 93: return tg_pow(x[0], 2);
    case 94: return tg_pow(x[0], 3);
    case 95: return tg_pow(x[0], 1);
    case 96: return tg_pow(x[0], 0);
    case 97: return tg_pow(x[0], -1);
    case 98: return tg_pow(x[0], -2);
    case 99: return tg_pow(x[0], 0.5);
    case 100: return tg_pow(x[0], 2.5);
    case 101: return tg_pow(x[0], -0.5);
    case 102: return tg_pow(x[0], 0);
    case 103: return tg_pow(x[0], 1);
    case 104: return tg_pow(x[0], 2);
    case 105: return tg_pow(x[0], 3);
    case 106: return tg_clamp(x[0], -1, 0.5);
    case 107: return tg_clamp(x[0], 0.3, (double)INFINITY);
    case 108: return tg_add_scalar(x[0], 1.5);
    case 109: return tg_add_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 110: return tg_sub_scalar(x[0], 1.5);
    case 111: return tg_sub_scalar(tg_transpose(x[0], 0, 1), 1.5);
    case 112: return tg_rsub_scalar(1.5, x[0]);
    case 113: return tg_rsub_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 114: return tg_mul_scalar(x[0], -1.5);
    case 115: return tg_mul_scalar(tg_transpose(x[0], 0, 1), -1.5);
    case 116: return tg_div_scalar(x[0], 3);
    case 117: return tg_div_scalar(tg_transpose(x[0], 0, 1), 3);
    case 118: return tg_rdiv_scalar(1.5, x[0]);
    case 119: return tg_rdiv_scalar(1.5, tg_transpose(x[0], 0, 1));
    case 120: return tg_eq(x[0], x[1]);
    case 121: return tg_lt(x[0], x[1]);
    case 122: return tg_gt(x[0], x[1]);
    case 123: return tg_eq(x[0], x[1]);
    case 124: return tg_logical_not(x[0]);
    case 125: return tg_to_bool(x[0]);
    case 126: return tg_to_bool(x[0]);
    case 127: return tg_to_float(x[0]);
    case 128: return tg_to_float(x[0]);
    case 129: return tg_where(x[0], x[1], x[2]);
    case 130: return tg_where(x[0], x[1], x[2]);
    case 131: return tg_masked_fill(x[0], x[1], -2.5);
    case 132: return tg_masked_fill(tg_transpose(x[0], 0, 1), x[1], -(double)INFINITY);
    case 133: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 134: return tg_sum(x[0], TG_ALL_DIMS, true);
    case 135: return tg_sum(x[0], TG_DIMS(-1), false);
    case 136: return tg_sum(x[0], TG_DIMS(0, -1), false);
    case 137: return tg_sum(x[0], TG_DIMS(-2), true);
    case 138: return tg_sum(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 139: return tg_sum(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 140: return tg_sum(x[0], TG_DIMS(0), false);
    case 141: return tg_sum(x[0], TG_ALL_DIMS, false);
    case 142: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 143: return tg_mean(x[0], TG_ALL_DIMS, true);
    case 144: return tg_mean(x[0], TG_DIMS(-1), false);
    case 145: return tg_mean(x[0], TG_DIMS(0, -1), false);
    case 146: return tg_mean(x[0], TG_DIMS(-2), true);
    case 147: return tg_mean(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 148: return tg_mean(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 149: return tg_mean(x[0], TG_DIMS(0), false);
    case 150: return tg_mean(x[0], TG_ALL_DIMS, false);
    case 151: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 152: return tg_amax(x[0], TG_ALL_DIMS, true);
    case 153: return tg_amax(x[0], TG_DIMS(-1), false);
    case 154: return tg_amax(x[0], TG_DIMS(0, -1), false);
    case 155: return tg_amax(x[0], TG_DIMS(-2), true);
    case 156: return tg_amax(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 157: return tg_amax(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 158: return tg_amax(x[0], TG_DIMS(0), false);
    case 159: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 160: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 161: return tg_amin(x[0], TG_ALL_DIMS, true);
    case 162: return tg_amin(x[0], TG_DIMS(-1), false);
    case 163: return tg_amin(x[0], TG_DIMS(0, -1), false);
    case 164: return tg_amin(x[0], TG_DIMS(-2), true);
    case 165: return tg_amin(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 166: return tg_amin(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 167: return tg_amin(x[0], TG_DIMS(0), false);
    case 168: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 169: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 170: return tg_logsumexp(x[0], TG_ALL_DIMS, true);
    case 171: return tg_logsumexp(x[0], TG_DIMS(-1), false);
    case 172: return tg_logsumexp(x[0], TG_DIMS(0, -1), false);
    case 173: return tg_logsumexp(x[0], TG_DIMS(-2), true);
    case 174: return tg_logsumexp(tg_transpose(x[0], 0, 2), TG_DIMS(1, 2), false);
    case 175: return tg_logsumexp(tg_expand(x[0], TG_SHAPE(2, 3)), TG_DIMS(1), false);
    case 176: return tg_logsumexp(x[0], TG_DIMS(0), false);
    case 177: return tg_logsumexp(x[0], TG_ALL_DIMS, false);
    case 178: return tg_sum(x[0], TG_DIMS(1), false);
    case 179: return tg_mean(x[0], TG_DIMS(1), false);
    case 180: return tg_amax(x[0], TG_DIMS(1), false);
    case 181: return tg_amax(x[0], TG_ALL_DIMS, false);
    case 182: return tg_amin(x[0], TG_DIMS(1), false);
    case 183: return tg_amin(x[0], TG_ALL_DIMS, false);
    case 184: return tg_logsumexp(x[0], TG_DIMS(1), false);
    case 185: return tg_var(x[0], TG_DIMS(1), 0, false);
    case 186: return tg_var(x[0], TG_DIMS(1), 1, false);
    case 187: return tg_var(x[0], TG_DIMS(1), 1.5, false);
    case 188: return tg_var(x[0], TG_DIMS(0, -1), 1, true);
    case 189: return tg_var(tg_transpose(x[0], 0, 1), TG_ALL_DIMS, 0, false);
    case 190: return tg_argmax(x[0], 0, false);
    case 191: return tg_argmax(x[0], -1, true);
    case 192: return tg_argmax(x[0], 1, false);
    case 193: return tg_reshape(x[0], TG_SHAPE(3, -1));
    case 194: return tg_reshape(tg_transpose(x[0], 0, 1), TG_SHAPE(-1));
    case 195: return tg_mul(tg_reshape(tg_slice(x[0], 0, 1, 3, 1), TG_SHAPE(4)), x[1]);
    case 196: return tg_mul(tg_transpose(x[0], -1, 0), x[1]);
    case 197: return tg_mul(tg_permute(x[0], TG_DIMS(2, 0, -2)), x[1]);
    case 198: return tg_slice(x[0], 1, 1, 6, 2);
    case 199: return tg_slice(x[0], -2, -2, 99, 1);
    case 200: return tg_slice(x[0], 0, 3, 1, 1);
    case 201: return tg_mul(tg_slice(x[0], 0, 0, 3, 1), tg_slice(x[0], 0, 1, 4, 1));
    case 202: return tg_select(x[0], 1, -1);
    case 203: return tg_mul(tg_select(x[0], 0, 1), tg_select(x[0], 0, 0));
    case 204: return tg_squeeze(x[0], -2);
    case 205: return tg_mul(tg_squeeze(x[0], 0), x[1]);
    case 206: return tg_mul(tg_unsqueeze(x[0], -1), x[1]);
    case 207: return tg_mul(tg_expand(x[0], TG_SHAPE(2, -1, 3)), x[1]);
    case 208: return tg_expand(x[0], TG_SHAPE(0, 3));
    case 209: return tg_contiguous(tg_transpose(x[0], 0, 1));
    case 210: return tg_mul(tg_clone(x[0]), x[0]);
    case 211: return tg_mul(x[0], tg_detach(x[0]));
    case 212: return tg_cat((tg_tensor[]){x[0], x[1], x[2]}, 3, 1);
    case 213: return tg_cat((tg_tensor[]){tg_transpose(x[0], 0, 1), x[1], x[1]}, 3, -2);
    case 214: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, -1);
    case 215: return tg_stack((tg_tensor[]){x[0], x[1]}, 2, 0);
    case 216: return tg_mul(part(x[0], 2, 1, 0, 3), part(x[0], 2, 1, 1, 3));
    case 217: return part(x[0], 2, -1, 2, 3);
    case 218: return tg_tril(x[0], 0);
    case 219: return tg_tril(x[0], 1);
    case 220: return tg_tril(x[0], -1);
    case 221: return tg_tril(tg_transpose(x[0], 0, 1), 0);
    case 222: return tg_triu(x[0], 0);
    case 223: return tg_triu(x[0], 1);
    case 224: return tg_triu(x[0], -1);
    case 225: return tg_triu(tg_transpose(x[0], 0, 1), 0);
    case 226: return tg_matmul(x[0], x[1]);
    case 227: return tg_matmul(x[0], x[1]);
    case 228: return tg_matmul(x[0], x[1]);
    case 229: return tg_matmul(x[0], x[1]);
    case 230: return tg_matmul(x[0], x[1]);
    case 231: return tg_matmul(x[0], x[1]);
    case 232: return tg_matmul(x[0], x[1]);
    case 233: return tg_matmul(x[0], x[1]);
    case 234: return tg_matmul(x[0], x[1]);
    case 235: return tg_matmul(tg_transpose(x[0], 1, 2), tg_transpose(x[1], -1, -2));
    case 236: return tg_matmul(tg_slice(x[0], 1, 0, 4, 2), tg_slice(x[1], 0, 1, 3, 1));
    case 237: return tg_matmul(x[0], tg_transpose(x[0], 0, 1));
    case 238: return tg_linear(x[0], x[1], x[2]);
    case 239: return tg_linear(x[0], x[1], TG_NULL);
    case 240: return tg_linear(x[0], x[1], x[2]);
    case 241: return tg_linear(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2]);
    case 242: return tg_linear(x[0], x[1], x[2]);
    case 243: return tg_softmax(x[0], -1);
    case 244: return tg_softmax(x[0], 0);
    case 245: return tg_softmax(x[0], 1);
    case 246: return tg_softmax(x[0], 0);
    case 247: return tg_softmax(x[0], 1);
    case 248: return tg_softmax(tg_transpose(x[0], 0, 1), 1);
    case 249: return tg_softmax(x[0], 1);
    case 250: return tg_log_softmax(x[0], -1);
    case 251: return tg_log_softmax(x[0], 0);
    case 252: return tg_log_softmax(x[0], 1);
    case 253: return tg_log_softmax(x[0], 0);
    case 254: return tg_log_softmax(x[0], 1);
    case 255: return tg_log_softmax(tg_transpose(x[0], 0, 1), 1);
    case 256: return tg_log_softmax(x[0], 1);
    case 257: return tg_softmax(x[0], 1);
    case 258: return tg_log_softmax(tg_masked_fill(x[0], x[1], -(double)INFINITY), 1);
    case 259: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 260: return tg_layer_norm(x[0], TG_NULL, TG_NULL, 0.1);
    case 261: return tg_layer_norm(tg_transpose(x[0], 0, 1), x[1], TG_NULL, 1e-5);
    case 262: return tg_layer_norm(x[0], x[1], x[2], 1e-5);
    case 263: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    case 264: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0);
    case 265: return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0, 0.25);
    case 266: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 267: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0);
    case 268: return tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], false, 0, 0.5);
    case 269: return tg_scaled_dot_product_attention(tg_transpose(x[0], 0, 1), tg_transpose(x[1], 0, 1), x[2], TG_NULL, false, 0, 0);
    case 270: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.enable_gqa = true});
    case 271: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.enable_gqa = true, .causal = true, .scale = 0.5});
    case 272: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.enable_gqa = true});
    case 273: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.causal = false});
    case 274: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.window = 2, .causal = true});
    case 275: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.window = 2});
    case 276: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.window = 3, .causal = true, .offset = 2});
    case 277: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.softcap = 1.5, .mask = x[3]});
    case 278: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.alibi = x[3], .causal = true, .offset = 1});
    case 279: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.alibi = x[3]});
    case 280: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.sinks = x[3], .causal = true, .enable_gqa = true});
    case 281: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.documents = x[3], .causal = true});
    case 282: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.documents = x[3], .offset = 1});
    case 283: return tg_scaled_dot_product_attention_with(x[0], x[1], x[2], (tg_attention_config){.mask = x[3], .alibi = x[4], .sinks = x[5], .documents = x[6], .causal = true, .enable_gqa = true, .offset = 1, .window = 2, .softcap = 2});
    case 284: return tg_embedding(x[0], x[1]);
    case 285: return tg_embedding(x[0], x[1]);
    case 286: return tg_embedding(tg_transpose(x[0], 0, 1), x[1]);
    case 287: return tg_index_select(x[0], 0, x[1]);
    case 288: return tg_index_select(x[0], -1, x[1]);
    case 289: return tg_index_select(x[0], 1, x[1]);
    case 290: return tg_gather(x[0], 1, x[1]);
    case 291: return tg_gather(x[0], -2, x[1]);
    case 292: return tg_gather(tg_transpose(x[0], 0, 1), 1, x[1]);
    case 293: return dropped(x[0], 0.5);
    case 294: return dropped(x[0], 0.25);
    case 295: return dropped(x[0], 1);
    case 296: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 297: return tg_cross_entropy(x[0], x[1], 2, TG_MEAN);
    case 298: return tg_mse_loss(x[0], x[1], TG_MEAN);
    case 299: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 300: return tg_cross_entropy(x[0], x[1], 2, TG_SUM);
    case 301: return tg_mse_loss(x[0], x[1], TG_SUM);
    case 302: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_NONE);
    case 303: return tg_cross_entropy(x[0], x[1], 2, TG_NONE);
    case 304: return tg_mse_loss(x[0], x[1], TG_NONE);
    case 305: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 306: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM);
    case 307: return tg_cross_entropy(tg_transpose(x[0], 0, 1), x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 308: return tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_MEAN);
    case 309: return a_b_plus_sin_a(x[0], x[1]);
    case 310: return a_b_plus_sin_a(x[0], tg_slice(x[1], 0, 0, 8, 2));
    case 311: return tg_bias_gelu(x[0], x[1]);
    case 312: return tg_bias_gelu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 0, 0, 4, 2));
    case 313: return tg_bias_gelu(x[0], x[0]);
    case 314: return tg_sin(x[0]);
    case 315: return tg_sin(tg_transpose(x[0], 0, 1));
    case 316: return tg_sin(x[0]);
    case 317: return tg_sin(x[0]);
    case 318: return tg_sin(x[0]);
    case 319: return tg_cos(x[0]);
    case 320: return tg_cos(tg_transpose(x[0], 0, 1));
    case 321: return tg_cos(x[0]);
    case 322: return tg_cos(x[0]);
    case 323: return tg_cos(x[0]);
    case 324: return tg_erf(x[0]);
    case 325: return tg_erf(tg_transpose(x[0], 0, 1));
    case 326: return tg_erf(x[0]);
    case 327: return tg_erf(x[0]);
    case 328: return tg_erf(x[0]);
    case 329: return tg_expm1(x[0]);
    case 330: return tg_expm1(tg_transpose(x[0], 0, 1));
    case 331: return tg_expm1(x[0]);
    case 332: return tg_expm1(x[0]);
    case 333: return tg_expm1(x[0]);
    case 334: return tg_softplus(x[0]);
    case 335: return tg_softplus(tg_transpose(x[0], 0, 1));
    case 336: return tg_softplus(x[0]);
    case 337: return tg_softplus(x[0]);
    case 338: return tg_softplus(x[0]);
    case 339: return tg_log1p(x[0]);
    case 340: return tg_log1p(x[0]);
    case 341: return tg_rsqrt(x[0]);
    case 342: return tg_rsqrt(x[0]);
    case 343: return tg_leaky_relu(x[0], 0.125);
    case 344: return tg_leaky_relu(x[0], 0.01);
    case 345: return tg_elu(x[0], 1);
    case 346: return tg_elu(x[0], 1.5);
    case 347: return tg_pow_tensor(x[0], x[1]);
    case 348: return tg_pow_tensor(x[0], x[1]);
    case 349: return tg_pow_tensor(x[0], tg_detach(x[1]));
    case 350: return tg_pow_tensor(x[0], x[1]);
    case 351: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 352: return tg_clamp_tensor(x[0], x[1], x[2]);
    case 353: return tg_eq(x[0], x[1]);
    case 354: return tg_eq(x[0], x[1]);
    case 355: return tg_ne(x[0], x[1]);
    case 356: return tg_ne(x[0], x[1]);
    case 357: return tg_lt(x[0], x[1]);
    case 358: return tg_lt(x[0], x[1]);
    case 359: return tg_le(x[0], x[1]);
    case 360: return tg_le(x[0], x[1]);
    case 361: return tg_gt(x[0], x[1]);
    case 362: return tg_gt(x[0], x[1]);
    case 363: return tg_ge(x[0], x[1]);
    case 364: return tg_ge(x[0], x[1]);
    case 365: return tg_isnan(x[0]);
    case 366: return tg_logical_and(x[0], x[1]);
    case 367: return tg_logical_or(x[0], x[1]);
    case 368: return tg_any(x[0], TG_DIMS(1), true);
    case 369: return tg_any(x[0], TG_DIMS(1), true);
    case 370: return tg_any(x[0], TG_ALL_DIMS, false);
    case 371: return tg_any(x[0], TG_DIMS(1), false);
    case 372: return tg_all(x[0], TG_DIMS(1), true);
    case 373: return tg_all(x[0], TG_DIMS(1), true);
    case 374: return tg_all(x[0], TG_ALL_DIMS, false);
    case 375: return tg_all(x[0], TG_DIMS(1), false);
    case 376: return tg_prod(x[0], TG_ALL_DIMS, false);
    case 377: return tg_prod(x[0], TG_DIMS(0, -1), true);
    case 378: return tg_prod(tg_transpose(x[0], 0, 2), TG_DIMS(1), false);
    case 379: return tg_prod(x[0], TG_DIMS(1), false);
    case 380: return tg_prod(x[0], TG_DIMS(1), false);
    case 381: return tg_std(x[0], TG_DIMS(1), 0, false);
    case 382: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 383: return tg_std(x[0], TG_DIMS(0, -1), 1, true);
    case 384: return tg_std(x[0], TG_DIMS(1), 1, false);
    case 385: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 386: return tg_norm(tg_transpose(x[0], 0, 1), 2, TG_ALL_DIMS, true);
    case 387: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 388: return tg_norm(tg_transpose(x[0], 0, 1), 1, TG_ALL_DIMS, true);
    case 389: return tg_norm(x[0], 3, TG_DIMS(1), false);
    case 390: return tg_norm(tg_transpose(x[0], 0, 1), 3, TG_ALL_DIMS, true);
    case 391: return tg_norm(x[0], 0.5, TG_DIMS(1), false);
    case 392: return tg_norm(tg_transpose(x[0], 0, 1), 0.5, TG_ALL_DIMS, true);
    case 393: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 394: return tg_norm(tg_transpose(x[0], 0, 1), (double)INFINITY, TG_ALL_DIMS, true);
    case 395: return tg_norm(x[0], 2, TG_DIMS(1), false);
    case 396: return tg_norm(x[0], 1, TG_DIMS(1), false);
    case 397: return tg_norm(x[0], (double)INFINITY, TG_DIMS(1), false);
    case 398: return tg_cumsum(x[0], 0);
    case 399: return tg_cumsum(x[0], -1);
    case 400: return tg_cumsum(x[0], 1);
    case 401: return tg_cumsum(tg_transpose(x[0], 0, 1), 1);
    case 402: return tg_argsort(x[0], 1, false);
    case 403: return tg_argsort(tg_transpose(x[0], 0, 1), 0, false);
    case 404: return tg_sort(x[0], 0, false, NULL);
    case 405: return tg_argsort(x[0], 1, true);
    case 406: return tg_argsort(tg_transpose(x[0], 0, 1), 0, true);
    case 407: return tg_sort(x[0], 0, true, NULL);
    case 408: return tg_topk(x[0], 2, -1, false, NULL);
    case 409: return tg_topk(x[0], 2, -1, true, NULL);
    case 410: return tg_max_dim(x[0], 1, false, NULL);
    case 411: return tg_max_dim(x[0], 0, true, NULL);
    case 412: return tg_min_dim(x[0], 1, false, NULL);
    case 413: return tg_min_dim(x[0], 0, true, NULL);
    case 414: return tg_argmin(x[0], 0, false);
    case 415: return tg_argmin(x[0], -1, true);
    case 416: return tg_argmin(x[0], 1, false);
    case 417: return tg_index_add(x[0], 0, x[1], x[2]);
    case 418: return tg_index_add(x[0], -1, x[1], x[2]);
    case 419: return tg_index_add(tg_transpose(x[0], 0, 1), 1, x[1], tg_transpose(x[2], 0, 1));
    case 420: return tg_scatter_add(x[0], 0, x[1], x[2]);
    case 421: return tg_scatter_add(x[0], 1, x[1], x[2]);
    case 422: return tg_scatter_add(x[0], -1, x[1], x[2]);
    case 423: return tg_rms_norm(x[0], x[1], 1e-5);
    case 424: return tg_rms_norm(x[0], TG_NULL, 0.1);
    case 425: return tg_rms_norm(tg_transpose(x[0], 0, 1), x[1], 1e-5);
    case 426: return tg_rms_norm(x[0], x[1], 1e-5);
    case 427: return tg_rope(x[0], TG_ROPE_DEFAULTS);
    case 428: return tg_rope(x[0], (tg_rope_config){10000, 0, 0, true});
    case 429: return tg_rope(x[0], (tg_rope_config){500000, 9, 0, false});
    case 430: return tg_rope(x[0], (tg_rope_config){100, 3, 4, true});
    case 431: return tg_rope(tg_transpose(x[0], 0, 1), (tg_rope_config){100, 0, 2, false});
    case 432: return tg_swiglu(x[0], x[1]);
    case 433: return tg_swiglu(x[0], x[1]);
    case 434: return tg_swiglu(x[0], x[1]);
    case 435: return tg_swiglu(x[0], x[1]);
    case 436: return tg_swiglu(tg_transpose(x[0], 0, 1), tg_slice(x[1], 1, 0, 4, 2));
    case 437: return tg_swiglu(x[0], x[0]);
    case 438: return tg_swiglu(x[0], x[1]);
    case 439: return tg_bce_with_logits(x[0], x[1], TG_MEAN);
    case 440: return tg_l1_loss(x[0], x[1], TG_MEAN);
    case 441: return tg_kl_div(x[0], x[1], TG_MEAN);
    case 442: return tg_huber_loss(x[0], x[1], 1.25, TG_MEAN);
    case 443: return tg_bce_with_logits(x[0], x[1], TG_SUM);
    case 444: return tg_l1_loss(x[0], x[1], TG_SUM);
    case 445: return tg_kl_div(x[0], x[1], TG_SUM);
    case 446: return tg_huber_loss(x[0], x[1], 1.25, TG_SUM);
    case 447: return tg_bce_with_logits(x[0], x[1], TG_NONE);
    case 448: return tg_l1_loss(x[0], x[1], TG_NONE);
    case 449: return tg_kl_div(x[0], x[1], TG_NONE);
    case 450: return tg_huber_loss(x[0], x[1], 1.25, TG_NONE);
    case 451: return tg_bce_with_logits(x[0], x[1], TG_NONE);
    case 452: return tg_kl_div(x[0], tg_detach(x[1]), TG_NONE);
    case 453: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_MEAN});
    case 454: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_MEAN});
    case 455: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_MEAN});
    case 456: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_SUM});
    case 457: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_SUM});
    case 458: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_SUM});
    case 459: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0, TG_IGNORE_INDEX, TG_NONE});
    case 460: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){x[2], 0.25, TG_IGNORE_INDEX, TG_NONE});
    case 461: return tg_cross_entropy_with(x[0], x[1], (tg_cross_entropy_config){TG_NULL, 0.125, 2, TG_NONE});
    case 462: return tg_cross_entropy_with(x[0], x[1], TG_CROSS_ENTROPY_DEFAULTS);
    case 463: return tg_flip(x[0], TG_DIMS(1));
    case 464: return tg_flip(tg_transpose(x[0], 0, 2), TG_DIMS(0, -1));
    case 465: return tg_flip(x[0], TG_ALL_DIMS);
    case 466: return tg_roll(x[0], 1, 1);
    case 467: return tg_roll(x[0], -1, 1);
    case 468: return tg_roll(x[0], 5, 1);
    case 469: return tg_roll(x[0], 0, 1);
    case 470: return tg_repeat(x[0], TG_SHAPE(2, 3));
    case 471: return tg_repeat(tg_transpose(x[0], 0, 1), TG_SHAPE(2, 1, 3));
    case 472: return tg_repeat(x[0], TG_SHAPE(0, 1));
    default: return TG_NULL;
    }
}

static const golden_case golden_cases[] = {
    {"add", "", "f2,3 f2,3", "f2,3", 0},
    {"add", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 36},
    {"add", "a scalar broadcasts", "f2,3 f", "f2,3", 104},
    {"add", "empty", "f0,3 f1,3", "f0,3", 130},
    {"add", "views", "f2,3 f3,4", "f3,2", 136},
    {"add", "one operand twice", "f3", "f3", 184},
    {"sub", "", "f2,3 f2,3", "f2,3", 196},
    {"sub", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 232},
    {"sub", "a scalar broadcasts", "f2,3 f", "f2,3", 300},
    {"sub", "empty", "f0,3 f1,3", "f0,3", 326},
    {"sub", "views", "f2,3 f3,4", "f3,2", 332},
    {"sub", "one operand twice", "f3", "f3", 380},
    {"mul", "", "f2,3 f2,3", "f2,3", 392},
    {"mul", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 428},
    {"mul", "a scalar broadcasts", "f2,3 f", "f2,3", 496},
    {"mul", "empty", "f0,3 f1,3", "f0,3", 522},
    {"mul", "views", "f2,3 f3,4", "f3,2", 528},
    {"mul", "one operand twice", "f3", "f3", 576},
    {"div", "", "f2,3 f2,3", "f2,3", 588},
    {"div", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 624},
    {"div", "a scalar broadcasts", "f2,3 f", "f2,3", 692},
    {"div", "empty", "f0,3 f1,3", "f0,3", 718},
    {"div", "views", "f2,3 f3,4", "f3,2", 724},
    {"div", "one operand twice", "f3", "f3", 772},
    {"div", "special points", "f4 f4", "f4", 784},
    {"maximum", "", "f2,3 f2,3", "f2,3", 808},
    {"maximum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 844},
    {"maximum", "a scalar broadcasts", "f2,3 f", "f2,3", 912},
    {"maximum", "empty", "f0,3 f1,3", "f0,3", 938},
    {"maximum", "views", "f2,3 f3,4", "f3,2", 944},
    {"maximum", "one operand twice", "f3", "f3", 992},
    {"maximum", "special points", "f4 f4", "f4", 1004},
    {"minimum", "", "f2,3 f2,3", "f2,3", 1028},
    {"minimum", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 1064},
    {"minimum", "a scalar broadcasts", "f2,3 f", "f2,3", 1132},
    {"minimum", "empty", "f0,3 f1,3", "f0,3", 1158},
    {"minimum", "views", "f2,3 f3,4", "f3,2", 1164},
    {"minimum", "one operand twice", "f3", "f3", 1212},
    {"minimum", "special points", "f4 f4", "f4", 1224},
    {"neg", "", "f2,3", "f2,3", 1248},
    {"neg", "a view", "f3,2", "f2,3", 1272},
    {"neg", "a scalar", "f", "f", 1296},
    {"neg", "empty", "f2,0", "f2,0", 1300},
    {"neg", "special points", "f2", "f2", 1300},
    {"exp", "", "f2,3", "f2,3", 1308},
    {"exp", "a view", "f3,2", "f2,3", 1332},
    {"exp", "a scalar", "f", "f", 1356},
    {"exp", "empty", "f2,0", "f2,0", 1360},
    {"exp", "special points", "f3", "f3", 1360},
    {"log", "", "f2,3", "f2,3", 1372},
    {"log", "special points", "f3", "f3", 1396},
    {"sqrt", "", "f2,3", "f2,3", 1408},
    {"sqrt", "special points", "f3", "f3", 1432},
    {"square", "", "f2,3", "f2,3", 1444},
    {"square", "a view", "f3,2", "f2,3", 1468},
    {"square", "a scalar", "f", "f", 1492},
    {"square", "empty", "f2,0", "f2,0", 1496},
    {"square", "special points", "f1", "f1", 1496},
    {"abs", "", "f2,3", "f2,3", 1500},
    {"abs", "a view", "f3,2", "f2,3", 1524},
    {"abs", "a scalar", "f", "f", 1548},
    {"abs", "empty", "f2,0", "f2,0", 1552},
    {"abs", "special points", "f2", "f2", 1552},
    {"tanh", "", "f2,3", "f2,3", 1560},
    {"tanh", "a view", "f3,2", "f2,3", 1584},
    {"tanh", "a scalar", "f", "f", 1608},
    {"tanh", "empty", "f2,0", "f2,0", 1612},
    {"tanh", "special points", "f3", "f3", 1612},
    {"sigmoid", "", "f2,3", "f2,3", 1624},
    {"sigmoid", "a view", "f3,2", "f2,3", 1648},
    {"sigmoid", "a scalar", "f", "f", 1672},
    {"sigmoid", "empty", "f2,0", "f2,0", 1676},
    {"sigmoid", "special points", "f4", "f4", 1676},
    {"relu", "", "f2,3", "f2,3", 1692},
    {"relu", "a view", "f3,2", "f2,3", 1716},
    {"relu", "a scalar", "f", "f", 1740},
    {"relu", "empty", "f2,0", "f2,0", 1744},
    {"relu", "special points", "f3", "f3", 1744},
    {"silu", "", "f2,3", "f2,3", 1756},
    {"silu", "a view", "f3,2", "f2,3", 1780},
    {"silu", "a scalar", "f", "f", 1804},
    {"silu", "empty", "f2,0", "f2,0", 1808},
    {"silu", "special points", "f3", "f3", 1808},
    {"gelu", "", "f2,3", "f2,3", 1820},
    {"gelu", "a view", "f3,2", "f2,3", 1844},
    {"gelu", "a scalar", "f", "f", 1868},
    {"gelu", "empty", "f2,0", "f2,0", 1872},
    {"gelu", "special points", "f3", "f3", 1872},
    {"gelu_tanh", "", "f2,3", "f2,3", 1884},
    {"gelu_tanh", "a view", "f3,2", "f2,3", 1908},
    {"gelu_tanh", "a scalar", "f", "f", 1932},
    {"gelu_tanh", "empty", "f2,0", "f2,0", 1936},
    {"gelu_tanh", "special points", "f3", "f3", 1936},
    {"pow", "both signs", "f5", "f5", 1948},
    {"pow", "both signs", "f5", "f5", 1968},
    {"pow", "both signs", "f5", "f5", 1988},
    {"pow", "both signs", "f5", "f5", 2008},
    {"pow", "both signs", "f5", "f5", 2028},
    {"pow", "both signs", "f5", "f5", 2048},
    {"pow", "", "f5", "f5", 2068},
    {"pow", "", "f5", "f5", 2088},
    {"pow", "", "f5", "f5", 2108},
    {"pow", "at 0", "f3", "f3", 2128},
    {"pow", "at 0", "f3", "f3", 2140},
    {"pow", "at 0", "f3", "f3", 2152},
    {"pow", "at 0", "f3", "f3", 2164},
    {"clamp", "", "f5", "f5", 2176},
    {"clamp", "one bound", "f3,2", "f3,2", 2196},
    {"add_scalar", "", "f2,3", "f2,3", 2220},
    {"add_scalar", "a view", "f2,3", "f3,2", 2244},
    {"sub_scalar", "", "f2,3", "f2,3", 2268},
    {"sub_scalar", "a view", "f2,3", "f3,2", 2292},
    {"rsub_scalar", "", "f2,3", "f2,3", 2316},
    {"rsub_scalar", "a view", "f2,3", "f3,2", 2340},
    {"mul_scalar", "", "f2,3", "f2,3", 2364},
    {"mul_scalar", "a view", "f2,3", "f3,2", 2388},
    {"div_scalar", "", "f2,3", "f2,3", 2412},
    {"div_scalar", "a view", "f2,3", "f3,2", 2436},
    {"rdiv_scalar", "", "f2,3", "f2,3", 2460},
    {"rdiv_scalar", "a view", "f2,3", "f3,2", 2484},
    {"eq", "", "f2,2 f2", "b2,2", 2508},
    {"lt", "", "f2,2 f2", "b2,2", 2518},
    {"gt", "", "f2,2 f2", "b2,2", 2528},
    {"eq", "ints", "i3 i2,1", "b2,3", 2538},
    {"logical_not", "", "b2,2", "b2,2", 2549},
    {"to_bool", "", "f4", "b4", 2557},
    {"to_bool", "", "i3", "b3", 2565},
    {"to_float", "", "i2,2", "c2,2", 2571},
    {"to_float", "", "b2", "c2", 2579},
    {"where", "", "b2,3 f2,3 f2,3", "f2,3", 2583},
    {"where", "all broadcast", "b3 f2,1 f", "f2,3", 2625},
    {"masked_fill", "the mask broadcasts", "f2,2,3 b2,3", "f2,2,3", 2646},
    {"masked_fill", "-inf", "f3,2 b2,3", "f2,3", 2700},
    {"sum", "", "f2,3", "f", 2730},
    {"sum", "keepdim", "f2,3", "f1,1", 2744},
    {"sum", "last dim", "f2,3", "f2", 2758},
    {"sum", "outer dims", "f2,3,2", "f3", 2774},
    {"sum", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2804},
    {"sum", "a view", "f2,3,2", "f2", 2836},
    {"sum", "expanded", "f2,1", "f2", 2864},
    {"sum", "empty result", "f2,0", "f0", 2872},
    {"sum", "a scalar", "f", "f", 2872},
    {"mean", "", "f2,3", "f", 2876},
    {"mean", "keepdim", "f2,3", "f1,1", 2890},
    {"mean", "last dim", "f2,3", "f2", 2904},
    {"mean", "outer dims", "f2,3,2", "f3", 2920},
    {"mean", "middle dim, keepdim", "f2,3,2", "f2,1,2", 2950},
    {"mean", "a view", "f2,3,2", "f2", 2982},
    {"mean", "expanded", "f2,1", "f2", 3010},
    {"mean", "empty result", "f2,0", "f0", 3018},
    {"mean", "a scalar", "f", "f", 3018},
    {"amax", "", "f2,3", "f", 3022},
    {"amax", "keepdim", "f2,3", "f1,1", 3036},
    {"amax", "last dim", "f2,3", "f2", 3050},
    {"amax", "outer dims", "f2,3,2", "f3", 3066},
    {"amax", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3096},
    {"amax", "a view", "f2,3,2", "f2", 3128},
    {"amax", "expanded", "f2,1", "f2", 3156},
    {"amax", "empty result", "f2,0", "f0", 3164},
    {"amax", "a scalar", "f", "f", 3164},
    {"amin", "", "f2,3", "f", 3168},
    {"amin", "keepdim", "f2,3", "f1,1", 3182},
    {"amin", "last dim", "f2,3", "f2", 3196},
    {"amin", "outer dims", "f2,3,2", "f3", 3212},
    {"amin", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3242},
    {"amin", "a view", "f2,3,2", "f2", 3274},
    {"amin", "expanded", "f2,1", "f2", 3302},
    {"amin", "empty result", "f2,0", "f0", 3310},
    {"amin", "a scalar", "f", "f", 3310},
    {"logsumexp", "", "f2,3", "f", 3314},
    {"logsumexp", "keepdim", "f2,3", "f1,1", 3328},
    {"logsumexp", "last dim", "f2,3", "f2", 3342},
    {"logsumexp", "outer dims", "f2,3,2", "f3", 3358},
    {"logsumexp", "middle dim, keepdim", "f2,3,2", "f2,1,2", 3388},
    {"logsumexp", "a view", "f2,3,2", "f2", 3420},
    {"logsumexp", "expanded", "f2,1", "f2", 3448},
    {"logsumexp", "empty result", "f2,0", "f0", 3456},
    {"logsumexp", "a scalar", "f", "f", 3456},
    {"sum", "over nothing", "f2,0", "f2", 3460},
    {"mean", "over nothing", "f2,0", "f2", 3464},
    {"amax", "ties", "f2,4", "f2", 3468},
    {"amax", "ties over all dims", "f2,2", "f", 3488},
    {"amin", "ties", "f2,4", "f2", 3498},
    {"amin", "ties over all dims", "f2,2", "f", 3518},
    {"logsumexp", "-inf and large", "f3,2", "f3", 3528},
    {"var", "", "f2,4", "f2", 3546},
    {"var", "", "f2,4", "f2", 3566},
    {"var", "", "f2,4", "f2", 3586},
    {"var", "outer dims, keepdim", "f2,3,2", "f1,3,1", 3606},
    {"var", "a view", "f2,3", "f", 3636},
    {"argmax", "ties: the first", "f2,3", "i3", 3650},
    {"argmax", "ties: the first", "f2,3", "i2,1", 3659},
    {"argmax", "ties: the first", "f2,3", "i2", 3667},
    {"reshape", "", "f2,6", "f3,4", 3675},
    {"reshape", "a copy", "f2,3", "f6", 3723},
    {"reshape", "of a slice, as a view", "f3,2 f4", "f4", 3747},
    {"transpose", "", "f2,3,2 f2,3,2", "f2,3,2", 3775},
    {"permute", "", "f2,3,2 f2,2,3", "f2,2,3", 3847},
    {"slice", "", "f2,7", "f2,3", 3919},
    {"slice", "negative, clamped", "f4,2", "f2,2", 3959},
    {"slice", "empty", "f4,2", "f0,2", 3983},
    {"slice", "overlapping", "f4", "f3", 3999},
    {"select", "", "f2,3,2", "f2,2", 4013},
    {"select", "to scalars", "f2", "f", 4045},
    {"squeeze", "", "f2,1,3", "f2,3", 4051},
    {"squeeze", "", "f1,3 f3", "f3", 4075},
    {"unsqueeze", "", "f2,3 f4", "f2,3,4", 4093},
    {"expand", "", "f2,1 f2,2,3", "f2,2,3", 4161},
    {"expand", "to nothing", "f1,3", "f0,3", 4213},
    {"contiguous", "", "f2,3", "f3,2", 4219},
    {"clone", "", "f3", "f3", 4243},
    {"detach", "", "f3", "f3", 4255},
    {"cat", "", "f2,1 f2,3 f2,0", "f2,4", 4267},
    {"cat", "a view, a part twice", "f2,2 f1,2", "f4,2", 4299},
    {"stack", "", "f2,3 f2,3", "f2,3,2", 4327},
    {"stack", "scalars", "f f", "f2", 4375},
    {"split", "", "f2,5", "f2,2", 4383},
    {"split", "the smaller last one", "f2,5", "f2,1", 4411},
    {"tril", "", "f2,3,3", "f2,3,3", 4435},
    {"tril", "", "f2,3,3", "f2,3,3", 4507},
    {"tril", "", "f2,3,3", "f2,3,3", 4579},
    {"tril", "a view, not square", "f4,2", "f2,4", 4651},
    {"triu", "", "f2,3,3", "f2,3,3", 4683},
    {"triu", "", "f2,3,3", "f2,3,3", 4755},
    {"triu", "", "f2,3,3", "f2,3,3", 4827},
    {"triu", "a view, not square", "f4,2", "f2,4", 4899},
    {"matmul", "(2, 3) (3, 4)", "f2,3 f3,4", "f2,4", 4931},
    {"matmul", "(3,) (3,)", "f3 f3", "f", 4983},
    {"matmul", "(3,) (2, 3, 2)", "f3 f2,3,2", "f2,2", 4997},
    {"matmul", "(2, 2, 3) (3,)", "f2,2,3 f3", "f2,2", 5035},
    {"matmul", "(2, 2, 3) (3, 2)", "f2,2,3 f3,2", "f2,2,2", 5073},
    {"matmul", "(2, 1, 2, 3) (3, 3, 2)", "f2,1,2,3 f3,3,2", "f2,3,2,2", 5125},
    {"matmul", "(2, 0) (0, 3)", "f2,0 f0,3", "f2,3", 5233},
    {"matmul", "(0, 2, 3) (3, 2)", "f0,2,3 f3,2", "f0,2,2", 5245},
    {"matmul", "(1, 3) (3, 1)", "f1,3 f3,1", "f1,1", 5257},
    {"matmul", "transposed views", "f2,3,2 f2,4,3", "f2,2,4", 5271},
    {"matmul", "sliced views", "f3,4 f4,2", "f3,2", 5375},
    {"matmul", "one operand twice", "f2,3", "f2,2", 5427},
    {"linear", "", "f2,3 f4,3 f4", "f2,4", 5447},
    {"linear", "batched, no bias", "f2,2,3 f4,3", "f2,2,4", 5507},
    {"linear", "1-D", "f3 f2,3 f2", "f2", 5587},
    {"linear", "views", "f3,2 f3,4 f4", "f2,4", 5613},
    {"linear", "empty", "f0,3 f2,3 f2", "f0,2", 5673},
    {"softmax", "dim -1", "f2,3", "f2,3", 5689},
    {"softmax", "dim 0", "f2,3", "f2,3", 5713},
    {"softmax", "dim 1", "f2,3,2", "f2,3,2", 5737},
    {"softmax", "dim 0", "f1", "f1", 5785},
    {"softmax", "dim 1", "f2,0", "f2,0", 5789},
    {"softmax", "a view", "f3,2", "f2,3", 5789},
    {"softmax", "large, equal", "f2,3", "f2,3", 5813},
    {"log_softmax", "dim -1", "f2,3", "f2,3", 5837},
    {"log_softmax", "dim 0", "f2,3", "f2,3", 5861},
    {"log_softmax", "dim 1", "f2,3,2", "f2,3,2", 5885},
    {"log_softmax", "dim 0", "f1", "f1", 5933},
    {"log_softmax", "dim 1", "f2,0", "f2,0", 5937},
    {"log_softmax", "a view", "f3,2", "f2,3", 5937},
    {"log_softmax", "large, equal", "f2,3", "f2,3", 5961},
    {"softmax", "a row of -inf", "f3,2", "f3,2", 5985},
    {"log_softmax", "a row of -inf", "f2,2 b2,2", "f2,2", 6009},
    {"layer_norm", "", "f2,4 f4 f4", "f2,4", 6029},
    {"layer_norm", "no weight", "f2,2,3", "f2,2,3", 6077},
    {"layer_norm", "a view", "f4,2 f4", "f2,4", 6125},
    {"layer_norm", "a constant row", "f2,3 f3 f3", "f2,3", 6165},
    {"scaled_dot_product_attention", "", "f3,2 f4,2 f4,3", "f3,3", 6201},
    {"scaled_dot_product_attention", "causal, batched", "f2,2,3,2 f2,2,3,2 f2,2,3,2", "f2,2,3,2", 6271},
    {"scaled_dot_product_attention", "causal, more keys, a scale", "f2,2 f4,2 f4,1", "f2,1", 6463},
    {"scaled_dot_product_attention", "a bool mask broadcasts", "f2,2,2 f2,3,2 f2,3,2 b2,3", "f2,2,2", 6499},
    {"scaled_dot_product_attention", "a query that sees nothing", "f2,2 f3,2 f3,2 b2,3", "f2,2", 6585},
    {"scaled_dot_product_attention", "a mask of numbers, a scale", "f2,2 f3,2 f3,2 c2,3", "f2,2", 6631},
    {"scaled_dot_product_attention", "views", "f2,3 f2,3 f3,2", "f3,2", 6677},
    {"scaled_dot_product_attention", "grouped queries", "f4,2,2 f2,3,2 f2,3,1", "f4,2,1", 6725},
    {"scaled_dot_product_attention", "grouped queries, causal, one head of keys", "f2,3,2,2 f2,1,2,2 f2,1,2,1", "f2,3,2,1", 6809},
    {"scaled_dot_product_attention", "grouped queries, leading dims broadcast", "f2,4,2,1 f1,2,3,1 f2,3,2", "f2,4,2,2", 6905},
    {"scaled_dot_product_attention", "leading dims broadcast", "f2,2,2,2 f1,3,2 f2,1,3,2", "f2,2,2,2", 7037},
    {"scaled_dot_product_attention", "a causal window", "f2,4,2 f2,4,2 f2,4,2", "f2,4,2", 7137},
    {"scaled_dot_product_attention", "a window", "f5,2 f5,2 f5,1", "f5,1", 7265},
    {"scaled_dot_product_attention", "a causal window of the last queries", "f2,2,2 f2,4,2 f2,4,2", "f2,2,2", 7325},
    {"scaled_dot_product_attention", "softcap and a mask", "f3,2 f4,2 f4,2 f3,4", "f3,2", 7421},
    {"scaled_dot_product_attention", "alibi, causal", "f2,2,2 f2,3,2 f2,3,2 c2", "f2,2,2", 7501},
    {"scaled_dot_product_attention", "alibi", "f2,3,2 f2,3,2 f2,3,1 c2", "f2,3,1", 7583},
    {"scaled_dot_product_attention", "sinks", "f2,4,2,2 f2,2,2,2 f2,2,2,1 f4", "f2,4,2,1", 7657},
    {"scaled_dot_product_attention", "documents, causal", "f2,5,2 f2,5,2 f2,5,1 i5", "f2,5,1", 7809},
    {"scaled_dot_product_attention", "documents of each row, offset", "f2,2,3,2 f2,2,4,2 f2,2,4,1 i2,4", "f2,2,3,1", 7934},
    {"scaled_dot_product_attention", "all of it", "f2,3,2 f1,4,2 f1,4,2 f3,4 c2 f2 i4", "f2,3,2", 8110},
    {"embedding", "an id twice", "f4,3 i2,2", "f2,2,3", 8224},
    {"embedding", "one id", "f4,2 i", "f2", 8276},
    {"embedding", "a view", "f2,4 i3", "f3,2", 8297},
    {"index_select", "an index repeated", "f3,2,3 i4", "f4,2,3", 8328},
    {"index_select", "an index repeated", "f3,2,3 i4", "f3,2,4", 8416},
    {"index_select", "no index", "f2,3 i0", "f2,0", 8504},
    {"gather", "", "f2,3 i2,4", "f2,4", 8516},
    {"gather", "a smaller index", "f3,2 i2,1", "f2,1", 8552},
    {"gather", "a view", "f2,3 i3,1", "f3,1", 8570},
    {"dropout", "PyTorch's numbers from a seed", "f3,4", "f3,4", 8591},
    {"dropout", "PyTorch's numbers from a seed", "f2,5", "f2,5", 8639},
    {"dropout", "all of them", "f2,3", "f2,3", 8679},
    {"cross_entropy", "mean, one ignored", "f3,4 i3", "f", 8703},
    {"cross_entropy", "mean, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 8732},
    {"mse_loss", "", "f2,3 f2,3", "f", 8762},
    {"cross_entropy", "sum, one ignored", "f3,4 i3", "f", 8788},
    {"cross_entropy", "sum, (..., C), class 2 ignored", "f2,2,3 i2,2", "f", 8817},
    {"mse_loss", "", "f2,3 f2,3", "f", 8847},
    {"cross_entropy", "none, one ignored", "f3,4 i3", "f3", 8873},
    {"cross_entropy", "none, (..., C), class 2 ignored", "f2,2,3 i2,2", "f2,2", 8906},
    {"mse_loss", "", "f2,3 f2,3", "f2,3", 8942},
    {"cross_entropy", "one row", "f3 i", "f", 8978},
    {"cross_entropy", "all ignored", "f2,3 i2", "f", 8987},
    {"cross_entropy", "a view", "f3,2 i2", "f", 9003},
    {"cross_entropy", "large logits", "f2,3 i2", "f", 9019},
    {"custom", "", "f4 f4", "f4", 9035},
    {"custom", "a view", "f4 f8", "f4", 9059},
    {"bias_gelu", "", "f2,3 f3", "f2,3", 9091},
    {"bias_gelu", "views", "f2,3 f4", "f3,2", 9121},
    {"bias_gelu", "one operand twice", "f3", "f3", 9153},
    {"sin", "", "f2,3", "f2,3", 9165},
    {"sin", "a view", "f3,2", "f2,3", 9189},
    {"sin", "a scalar", "f", "f", 9213},
    {"sin", "empty", "f2,0", "f2,0", 9217},
    {"sin", "special points", "f2", "f2", 9217},
    {"cos", "", "f2,3", "f2,3", 9225},
    {"cos", "a view", "f3,2", "f2,3", 9249},
    {"cos", "a scalar", "f", "f", 9273},
    {"cos", "empty", "f2,0", "f2,0", 9277},
    {"cos", "special points", "f2", "f2", 9277},
    {"erf", "", "f2,3", "f2,3", 9285},
    {"erf", "a view", "f3,2", "f2,3", 9309},
    {"erf", "a scalar", "f", "f", 9333},
    {"erf", "empty", "f2,0", "f2,0", 9337},
    {"erf", "special points", "f3", "f3", 9337},
    {"expm1", "", "f2,3", "f2,3", 9349},
    {"expm1", "a view", "f3,2", "f2,3", 9373},
    {"expm1", "a scalar", "f", "f", 9397},
    {"expm1", "empty", "f2,0", "f2,0", 9401},
    {"expm1", "special points", "f3", "f3", 9401},
    {"softplus", "", "f2,3", "f2,3", 9413},
    {"softplus", "a view", "f3,2", "f2,3", 9437},
    {"softplus", "a scalar", "f", "f", 9461},
    {"softplus", "empty", "f2,0", "f2,0", 9465},
    {"softplus", "special points", "f3", "f3", 9465},
    {"log1p", "", "f2,3", "f2,3", 9477},
    {"log1p", "special points", "f3", "f3", 9501},
    {"rsqrt", "", "f2,3", "f2,3", 9513},
    {"rsqrt", "special points", "f2", "f2", 9537},
    {"leaky_relu", "", "f2,3", "f2,3", 9545},
    {"leaky_relu", "special points", "f3", "f3", 9569},
    {"elu", "", "f2,3", "f2,3", 9581},
    {"elu", "special points", "f4", "f4", 9605},
    {"pow_tensor", "", "f2,3 f2,3", "f2,3", 9621},
    {"pow_tensor", "both broadcast", "f3,1 f2", "f3,2", 9657},
    {"pow_tensor", "whole exponents, zeros", "f4 f4", "f4", 9679},
    {"pow_tensor", "zeros", "f3 f3", "f3", 9703},
    {"clamp_tensor", "bounds broadcast", "f2,3 f2,1 f3", "f2,3", 9721},
    {"clamp_tensor", "low > high", "f3 f3 f3", "f3", 9755},
    {"eq", "", "f2,2 f2", "b2,2", 9779},
    {"eq", "NaN and Inf", "f3 f3", "b3", 9789},
    {"ne", "", "f2,2 f2", "b2,2", 9798},
    {"ne", "NaN and Inf", "f3 f3", "b3", 9808},
    {"lt", "", "f2,2 f2", "b2,2", 9817},
    {"lt", "NaN and Inf", "f3 f3", "b3", 9827},
    {"le", "", "f2,2 f2", "b2,2", 9836},
    {"le", "NaN and Inf", "f3 f3", "b3", 9846},
    {"gt", "", "f2,2 f2", "b2,2", 9855},
    {"gt", "NaN and Inf", "f3 f3", "b3", 9865},
    {"ge", "", "f2,2 f2", "b2,2", 9874},
    {"ge", "NaN and Inf", "f3 f3", "b3", 9884},
    {"isnan", "", "f3", "b3", 9893},
    {"logical_and", "", "b2,1 b2", "b2,2", 9899},
    {"logical_or", "", "b2,1 b2", "b2,2", 9907},
    {"any", "bools", "b3,2", "b3,1", 9915},
    {"any", "numbers", "f3,2", "b3,1", 9924},
    {"any", "ints", "i3", "b", 9933},
    {"any", "over nothing", "f2,0", "b2", 9937},
    {"all", "bools", "b3,2", "b3,1", 9939},
    {"all", "numbers", "f3,2", "b3,1", 9948},
    {"all", "ints", "i3", "b", 9957},
    {"all", "over nothing", "f2,0", "b2", 9961},
    {"prod", "", "f2,3", "f", 9963},
    {"prod", "outer dims, keepdim", "f2,3,2", "f1,3,1", 9977},
    {"prod", "a view", "f2,3,2", "f2,2", 10007},
    {"prod", "zeros", "f2,3", "f2", 10039},
    {"prod", "over nothing", "f2,0", "f2", 10055},
    {"std", "", "f2,4", "f2", 10059},
    {"std", "", "f2,4", "f2", 10079},
    {"std", "outer dims, keepdim", "f2,3,2", "f1,3,1", 10099},
    {"std", "a constant row", "f2,2", "f2", 10129},
    {"norm", "p = 2", "f2,3", "f2", 10141},
    {"norm", "p = 2, a view", "f2,3", "f1,1", 10157},
    {"norm", "p = 1", "f2,3", "f2", 10171},
    {"norm", "p = 1, a view", "f2,3", "f1,1", 10187},
    {"norm", "p = 3", "f2,3", "f2", 10201},
    {"norm", "p = 3, a view", "f2,3", "f1,1", 10217},
    {"norm", "p = 0.5", "f2,3", "f2", 10231},
    {"norm", "p = 0.5, a view", "f2,3", "f1,1", 10247},
    {"norm", "p = inf", "f2,3", "f2", 10261},
    {"norm", "p = inf, a view", "f2,3", "f1,1", 10277},
    {"norm", "zeros", "f2,2", "f2", 10291},
    {"norm", "zeros", "f2,2", "f2", 10303},
    {"norm", "a tie", "f1,3", "f1", 10315},
    {"cumsum", "dim 0", "f3,2", "f3,2", 10323},
    {"cumsum", "dim -1", "f2,3", "f2,3", 10347},
    {"cumsum", "dim 1", "f2,3,2", "f2,3,2", 10371},
    {"cumsum", "a view", "f3,2", "f2,3", 10419},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 10443},
    {"argsort", "a view", "f2,5", "i5,2", 10459},
    {"sort", "", "f5,2", "f5,2", 10479},
    {"argsort", "ties, a NaN", "f2,4", "i2,4", 10519},
    {"argsort", "a view", "f2,5", "i5,2", 10535},
    {"sort", "", "f5,2", "f5,2", 10555},
    {"topk", "", "f2,4", "f2,2", 10595},
    {"topk", "", "f2,4", "f2,2", 10619},
    {"max_dim", "", "f2,4", "f2", 10643},
    {"max_dim", "", "f3,2", "f1,2", 10663},
    {"min_dim", "", "f2,4", "f2", 10679},
    {"min_dim", "", "f3,2", "f1,2", 10699},
    {"argmin", "ties: the first", "f2,3", "i3", 10715},
    {"argmin", "ties: the first", "f2,3", "i2,1", 10724},
    {"argmin", "ties: the first", "f2,3", "i2", 10732},
    {"index_add", "an index repeated", "f3,2 i4 f4,2", "f3,2", 10740},
    {"index_add", "an index repeated", "f3,3 i4 f3,4", "f3,3", 10784},
    {"index_add", "views", "f3,2 i2 f2,2", "f2,3", 10848},
    {"scatter_add", "an index repeated", "f3,3 i2,3 f2,3", "f3,3", 10882},
    {"scatter_add", "an index repeated", "f2,3 i2,3 f2,3", "f2,3", 10936},
    {"scatter_add", "fewer rows, more columns", "f3,2 i1,3 f1,3", "f3,2", 10978},
    {"rms_norm", "", "f2,4 f4", "f2,4", 11011},
    {"rms_norm", "no weight", "f2,2,3", "f2,2,3", 11051},
    {"rms_norm", "a view", "f4,2 f4", "f2,4", 11099},
    {"rms_norm", "empty", "f0,3 f3", "f0,3", 11139},
    {"rope", "", "f2,3,4", "f2,3,4", 11145},
    {"rope", "interleaved", "f2,3,4", "f2,3,4", 11241},
    {"rope", "an offset, another base", "f3,6", "f3,6", 11337},
    {"rope", "partial, interleaved", "f2,7", "f2,7", 11409},
    {"rope", "partial, a view", "f5,3", "f3,5", 11465},
    {"swiglu", "", "f2,3 f2,3", "f2,3", 11525},
    {"swiglu", "both broadcast", "f3,1,2 f4,1", "f3,4,2", 11561},
    {"swiglu", "a scalar broadcasts", "f2,3 f", "f2,3", 11629},
    {"swiglu", "empty", "f0,3 f1,3", "f0,3", 11655},
    {"swiglu", "views", "f2,3 f3,4", "f3,2", 11661},
    {"swiglu", "one operand twice", "f3", "f3", 11709},
    {"swiglu", "special points", "f3 f3", "f3", 11721},
    {"bce_with_logits", "mean", "f2,3 f2,3", "f", 11739},
    {"l1_loss", "mean", "f2,3 f2,3", "f", 11765},
    {"kl_div", "mean", "f2,3 f2,3", "f", 11791},
    {"huber_loss", "mean", "f2,4 f2,4", "f", 11817},
    {"bce_with_logits", "sum", "f2,3 f2,3", "f", 11851},
    {"l1_loss", "sum", "f2,3 f2,3", "f", 11877},
    {"kl_div", "sum", "f2,3 f2,3", "f", 11903},
    {"huber_loss", "sum", "f2,4 f2,4", "f", 11929},
    {"bce_with_logits", "none", "f2,3 f2,3", "f2,3", 11963},
    {"l1_loss", "none", "f2,3 f2,3", "f2,3", 11999},
    {"kl_div", "none", "f2,3 f2,3", "f2,3", 12035},
    {"huber_loss", "none", "f2,4 f2,4", "f2,4", 12071},
    {"bce_with_logits", "special points", "f3 f3", "f3", 12119},
    {"kl_div", "a probability of 0", "f2 f2", "f2", 12137},
    {"cross_entropy_with", "mean, smoothing 0, one ignored", "f3,4 i3 c4", "f", 12149},
    {"cross_entropy_with", "mean, smoothing 0.25, one ignored", "f3,4 i3 c4", "f", 12182},
    {"cross_entropy_with", "mean, no weights", "f2,2,3 i2,2", "f", 12215},
    {"cross_entropy_with", "sum, smoothing 0, one ignored", "f3,4 i3 c4", "f", 12245},
    {"cross_entropy_with", "sum, smoothing 0.25, one ignored", "f3,4 i3 c4", "f", 12278},
    {"cross_entropy_with", "sum, no weights", "f2,2,3 i2,2", "f", 12311},
    {"cross_entropy_with", "none, smoothing 0, one ignored", "f3,4 i3 c4", "f3", 12341},
    {"cross_entropy_with", "none, smoothing 0.25, one ignored", "f3,4 i3 c4", "f3", 12378},
    {"cross_entropy_with", "none, no weights", "f2,2,3 i2,2", "f2,2", 12415},
    {"cross_entropy_with", "large logits", "f2,3 i2", "f", 12451},
    {"flip", "", "f2,3", "f2,3", 12467},
    {"flip", "a view", "f2,3,2", "f2,3,2", 12491},
    {"flip", "ints", "i2,3", "i2,3", 12539},
    {"roll", "by 1", "f2,3", "f2,3", 12551},
    {"roll", "by -1", "f2,3", "f2,3", 12575},
    {"roll", "by 5", "f2,3", "f2,3", 12599},
    {"roll", "by 0", "f2,3", "f2,3", 12623},
    {"repeat", "", "f2,2", "f4,6", 12647},
    {"repeat", "a dim more, a view", "f2,2", "f2,2,6", 12703},
    {"repeat", "to nothing", "f2,2", "f0,2", 12759},
};

static const double golden_numbers[] = {
    -1.1875, -0.875, 1.875, 1.3125, -1.75, 1.125, -1, -1.75, 1.5625, -1.5625, -0.9375, 1.875, -1.3125, -1.875, 0.5625,
    -1.875, -1.5625, 1.6875, -2.1875, -2.625, 3.4375, -0.25, -2.6875, 3, -1.3125, -1.875, 0.5625, -1.875, -1.5625,
    1.6875, -1.3125, -1.875, 0.5625, -1.875, -1.5625, 1.6875, 1.75, -1.6875, 1.875, -1.3125, -1.4375, 0.0625, 1,
    -0.0625, -1.8125, 0.875, 1.375, -1.5625, 1.9375, 1.25, -0.625, -0.875, 1.0625, 0.5, 2, -0.0625, 0.0625, 0.6875,
    1.6875, -0.75, -0.3125, 0.625, 0.3125, -0.5, 0.9375, 0.625, 1.375, -1.375, 0.375, -1.3125, 2.75, -0.6875, 1.6875,
    -1.75, -0.0625, -3.5, 2.625, -0.8125, 2.875, -0.3125, 1.8125, -1.375, 0.0625, -3.125, 2.75, -0.4375, -0.4375,
    1.0625, -1.5, 0, -3.25, -1.75, -0.5625, 0.9375, 3.75, -0.6875, 3.4375, 0.5, 3, -2.5625, 1.5625, 5.5, -0.5625,
    0.9375, 0.125, -1.25, 0.25, -0.875, -1.125, -1.5, 1.375, 0.4375, -0.375, 1.5, -0.4375, 0.0625, 0.6875, 1.5, 0.125,
    1.625, 0.5, 0.25, -0.125, 0.4375, -0.375, 1.5, -0.4375, 0.0625, 0.6875, 1.875, 1.4375, -1.125, 0.125, 0, 0, 0,
    -1.0625, -0.25, -1.3125, 0.5625, -0.3125, 1.8125, -1.6875, -1.8125, -1, 1.9375, 1.6875, -0.5, -1.125, -0.3125,
    1.375, -0.5625, -1.875, 2, -0.9375, 0.3125, -0.8125, 1.125, -0.8125, -1.375, -2.75, -0.4375, 1.4375, -1.4375,
    0.0625, -0.0625, -0.9375, -0.8125, -0.8125, 0.3125, 1.125, -1.375, -0.9375, 0, 0.3125, 0, -0.8125, 0, 1.125, 0,
    -0.8125, 0, -1.375, 0, -1.1875, -1.5, -0.4375, -0.4375, 0.75, 0.625, -2.375, -3, -0.875, -0.875, 1.5, 1.25,
    -1.5625, 0.8125, 0.25, 0.1875, -1.3125, -0.6875, -2, 0.8125, 0.4375, 0.375, 1.6875, 1.0625, -1.375, -1.3125,
    0.3125, -1.625, -1.1875, 0.25, 0.4375, 0, -0.1875, -0.1875, -3, -1.75, -1.375, -1.3125, 0.3125, -1.625, -1.1875,
    0.25, 1.375, 1.3125, -0.3125, 1.625, 1.1875, -0.25, -1, -1.25, -0.1875, -1.5, 0.75, -0.3125, 1.6875, 0.0625,
    1.1875, 1.125, -1.9375, -1.25, -0.5, -1.6875, -1.0625, -0.625, -0.25, -1.125, -1.875, -0.25, -1.0625, 0.5,
    -1.8125, -0.625, -1.3125, 1.1875, 0.375, 1, -1.625, -1.125, 1.8125, 0.0625, 1.3125, 1.125, -2.6875, -2.9375,
    -1.0625, -1.3125, -2.1875, -2.4375, -2.125, -2.375, -1.875, -3.1875, -0.25, -1.5625, -1.375, -2.6875, -1.3125,
    -2.625, -0.9375, -2, 0.6875, -0.375, -0.4375, -1.5, -0.375, -1.4375, -3.75, -4.6875, -6.0625, 0.8125, 1.875,
    1.0625, 3.9375, 5.5, 2.25, -0.9375, 0.1875, 1.3125, 0.625, 1.9375, -1.6875, -1.5625, 0.375, -1.9375, -1.875,
    -0.875, -0.625, -1.5, 1.875, -0.1875, 0.9375, 0.25, 1.5625, -2.0625, -1.9375, -1.9375, -1.875, -0.875, -0.625,
    -1.5, 1.875, 4.9375, 0.375, -0.875, -0.125, 0, 0, 0, -0.3125, -1.9375, -0.625, -1, -1.5, -1.625, 0.3125, 0.5625,
    1.5, 1.0625, 0.75, -1.5, 1.8125, -0.75, 0.5, 0.6875, 1.5625, 0.75, -1.125, 0.8125, 0.875, -0.25, 0.9375, -1.5625,
    -0.625, -2.5, -2.6875, -3.3125, -1.125, -3.1875, -1.125, 0.875, 0.9375, 0.8125, -0.25, -1.5625, 1.125, 0, -0.8125,
    0, -0.875, 0, 0.25, 0, -0.9375, 0, 1.5625, 0, -0.1875, -0.3125, -0.6875, -1.1875, -1.5, -0.6875, 0, 0, 0, 0, 0, 0,
    0.875, 1.5, 1.3125, 0.25, -1.25, 1.875, 0.6875, -0.8125, 1.0625, 1.75, -0.5625, 1.875, -1.8125, 1.125, 0.125,
    -0.375, -1.625, -0.1875, 0.6015625, -1.21875, 1.39453125, 0.4375, 0.703125, 3.515625, -1.24609375, -0.9140625,
    0.1328125, -0.65625, 0.9140625, -0.3515625, -1.5859375, 1.6875, 0.1640625, -0.09375, 2.03125, -0.3515625, -0.25,
    1.125, 1.9375, -0.75, 0.9375, 0.0625, -0.25, 0.625, 0.25, 0.0625, 1.0625, 1.875, -0.25, 0.0625, 0.5625, 1.8125,
    -1.0625, -1.1875, -1.4375, 0.0625, 0.625, -0.4375, -1.875, 1.8125, 0.5625, -0.125, 0.375, -0.25, 1.9375, -1.25,
    -0.125, 1.1875, -0.4375, 0.375, 0.0625, -0.28125, -0.15625, 0.703125, -0.0625, 0.28125, -0.015625, 0.0703125,
    -0.484375, 0.1875, 1.2109375, -0.46875, 0.484375, -0.1875, 0.12109375, -0.046875, -0.234375, -0.015625, 0.5859375,
    0.0390625, 0.234375, 0.015625, 0.05859375, 0.00390625, -0.34765625, -0.05078125, 0.31640625, 0.15625, 1.05859375,
    -0.3984375, -0.65234375, 3.41015625, -3.13671875, -0.2734375, -1.9375, 0.9375, 0.5625, 1.3125, -1.8125, -0.875,
    0.4375, 0.5625, -0.75, 0.125, -1.5625, -1.875, -1.3125, -0.84765625, 0.41015625, 0.24609375, 0.57421875,
    -0.79296875, -0.3828125, 0.24609375, -0.328125, 0.0546875, -0.68359375, -0.8203125, -0.57421875, 0.7734375, 2,
    1.25, 1.125, 0, 0, 0, -0.75, 1.875, 1.6875, -0.9375, 0.3125, 0.5625, 0.25, 0.75, -1.125, -1.1875, -0.1875, 0.25,
    -2, -0.9375, -0.5, 1.6875, -1.3125, -1.5, -0.25, 1.6875, -1.5, -0.125, -0.5625, 1.0625, -0.1875, 1.0546875,
    -0.3515625, -0.625, -0.84375, -0.73828125, -0.0625, 0.28125, 0.28125, -1.8984375, 0.25, -1.39453125, 0.1875, 0,
    -1.58203125, 0, -2.8125, 0, -0.0390625, 0, -0.94921875, 0, 0.59765625, 0, -1.5, -0.9375, 0.375, -1.75, 1.75,
    0.1875, 2.25, 0.87890625, 0.140625, 5.25, -3.28125, 0.140625, 1.125, 0.4375, 3, 1.25, 1.8125, 0.375, 2.5, 2.4375,
    0.5625, 0.25, 1.1875, 2.0625, -0.1875, 2, 0.8125, -1.5, 1.4375, 0.875, 0.45, 0.1794871794871795,
    5.333333333333333, 5, 1.5263157894736843, 0.18181818181818182, -0.075, 0.8205128205128205, 1.4444444444444444, -6,
    1.2105263157894737, 0.42424242424242425, 0.03375, -0.1472715318869165, -7.703703703703703, 30,
    -1.8476454293628812, -0.07713498622589532, 0.9375, 0.875, 2.75, 0.5625, 2.8125, 0.625, 2.3125, 2.4375, 0.5625,
    0.4375, 1.6875, 0.5, -0.4375, -0.4375, 1.1875, 1.3125, 0.4375, 1.3125, 0.9375, 0.625, -0.5625, 0.5625, 1.5625,
    1.1875, 1.6875, -0.9375, -0.625, 1.6875, 1.75, -0.125, 1.625, 0.1875, -0.625, -2, 0.40540540540540543,
    0.3783783783783784, 0.38461538461538464, 0.358974358974359, 1.6666666666666667, 1.5555555555555556,
    2.142857142857143, 2, 1.1891891891891893, 0.24324324324324326, 1.1282051282051282, 0.23076923076923078,
    4.888888888888889, 1, 6.285714285714286, 1.2857142857142858, 1.2162162162162162, 0.2702702702702703,
    1.1538461538461537, 0.2564102564102564, 5, 1.1111111111111112, 6.428571428571429, 1.4285714285714286,
    3.6613536613536612, 5.370062370062371, 6.80955680955681, 0.4692934692934694, 1.9079959079959077,
    -3.5596475596475594, -0.7940102264426591, -0.47468770545693617, -37.65432098765432, -13.918367346938776, 0.4375,
    1.25, 2.875, 2.75, 0.8125, 2.25, 1.5625, -1.625, 1.75, 1.3125, 0.875, -0.0625, 1.125, 0.28, 0.8, 1.84, 1.76, 0.52,
    1.44, -1.04, 1.12, 0.84, 0.56, -0.04, 0.72, -4.152, 2.125, 2.4375, 3, 0, 0, 0, 0.8125, 2.6875, 2.6875, 1.4375,
    2.9375, 0.5625, 0.8125, 2.5, 0.25, 3, 0.4375, 1.1875, 0.6875, 2.375, 2.75, 1.5625, 2.25, 2.1875, 1.4375, -0.4375,
    -1.9375, -0.8125, -0.25, -0.25, 1, 5.75, 6.142857142857143, 4.2727272727272725, 0.9772727272727273, 0.25,
    1.7692307692307692, -4.428571428571429, -0.09090909090909091, -1.75, -1.1818181818181819, -0.1111111111111111,
    -1.7692307692307694, 0, 10.0625, 0, 27.204081632653065, 0, 5.0495867768595035, 0, 0.08884297520661157, 0,
    0.027777777777777776, 0, 1.625, 1.875, 1.5625, 0.25, 1.1875, 1.5625, 1, 1, 1, 0, 0, 0, 1, -1, 0, 3, 0, 0, 2, -4,
    1.6875, -1.25, -0.8125, 0.8125, INFINITY, -INFINITY, 0, -0.75, INFINITY, -INFINITY, -0.40625, -0.203125,
    -INFINITY, -INFINITY, 0, -0.15234375, -1.875, 0.375, -0.125, 1, 0.8125, 0.375, -0.8125, -1.0625, -1.875, -0.25,
    -0.1875, 1.125, 1.1875, -1.625, 0.25, 1.875, -1.3125, 1.0625, -0.8125, 0.375, -0.125, 1, 0.8125, 1.125, 0, -1.625,
    0.25, 1.875, -1.3125, 0, 1.1875, 0, 0, 0, 0, 1.0625, -0.5625, 1.25, 1.0625, -1.5, -1.125, -1.25, -1.6875, 1.8125,
    1.8125, -1.3125, 1, 1.25, -1.4375, 1.1875, -0.9375, -1.5625, 1.0625, 0.0625, -1.375, 1.9375, 0.1875, 1.5625,
    0.0625, -0.4375, 1.75, -1.25, -0.875, -1.3125, 0.25, -1.0625, -1.1875, -0.6875, -0.25, 1.25, -0.5625, 1.25,
    1.8125, 1.8125, 1.8125, 1.8125, -0.5625, 1.25, 1.0625, -1.5, 1.8125, 1.8125, 1.8125, 1.8125, 1.0625, -1.3125,
    -1.125, -1.25, 1.8125, 1.8125, 1.8125, 1.8125, -1.125, -1.25, 2.0625, 1.3125, 0.375, 1.9375, -1.125, -0.0625, 0,
    0.6875, -4.75, -1.25, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -1.5, -0.75, 0.3125, 1.5625, 1.5, -0.125,
    -1.1875, -0.25, -0.1875, 1.8125, 0.5625, 1.625, 1.0625, -0.75, 0.3125, 1.5625, 1.5, -0.125, -1.1875, 0, -2, 1.75,
    0.6875, 0, 0, 0, 0.375, -0.1875, 1.5625, -1, -0.375, -1.5625, -1.125, 1.8125, -0.6875, 0.8125, 0.3125, -0.125,
    0.0625, -1.25, 1.1875, -1.1875, 2, -0.5, -0.4375, -0.375, -1.8125, 0.0625, -1.125, 1.4375, 0.375, -0.6875, 0.3125,
    0.0625, 1.5625, 2, -0.4375, 0, -1.125, 0, 0, 0, 0, 0, -0.375, 0, -1.8125, 0, 0.0625, 0, 0, 0, 1.4375, 0, -2,
    -0.75, 1.0625, -0.6875, -0.75, -1.5625, -2, -0.75, 1.0625, -0.6875, -0.75, -1.5625, 1, 2, -1, 0, 1, 1, 3, 0, 0.5,
    1.9375, 1.25, 0.125, 1, 2, 3, 0, 0.25, 1.9375, 0, 0.0625, 0.25, 0, 1.25, 0.0625, -1.1875, 0.0625, -0.3125, -0.375,
    -1.1875, 1.375, -1.9375, 0.8125, 1.4375, 0.1875, -0.375, 0.5, -0.8125, -1.8125, 1.5625, -1.0625, -1.3125, 0.625,
    -1.9375, 0.0625, -0.3125, -0.375, -1.1875, 0.5, 0, -1.8125, 1.5625, -1.0625, -1.3125, 0, -0.8125, 0, 0, 0, 0,
    0.625, 1.4375, 1.4375, 0.6875, 1.25, -1.5625, -0.6875, 1.3125, -1.5, 1.375, 1.3125, 1.75, 0.875, -0.375, 1.6875,
    -1.5, -0.125, 0.75, 0.8125, 0.875, 1.0625, -1.25, 0.8125, 1.5, 1.5625, 1.25, 0.125, -0.4375, 0.0625, 1.625,
    0.6875, 1, 1.5, -1.8125, 1.9375, 1.3125, 1.3125, -1.5, -1.5, 1.375, 1.375, 1.3125, 1.3125, 0.6875, 1.25, -1.5,
    -1.5, 0.6875, 1.25, 0.6875, 1.25, -1.5625, -0.6875, -1.5625, -1.5, -1.5625, -0.6875, -1.5625, -0.6875, 0, 0,
    3.625, 2.75, 0.375, 3.5, 2.625, 1.5625, -1.625, 1.5625, 0.125, 0.875, -1.875, 2, -1.25, 0.9375, 1.875, 0.375,
    -0.6875, 1.3125, -1.6875, -1.1875, 0.4375, 0.125, 0.875, -1.875, 1.875, -1.25, 0.9375, 0.375, -0.6875, 1.3125, 0,
    -1.1875, 0.4375, -1.6875, -1.9375, 0.6875, 0.5625, 0, 0, 0, 1.5625, -0.0625, 1.625, 0.9375, -0.9375, -1.8125,
    1.1875, -0.125, -1.5625, 1.625, 0.5, 1.875, -1.6875, -1.3125, -0.4375, -1.4375, 1.1875, -0.3125, -1.875, 0.1875,
    -0.4375, 2, -1.9375, 1.125, 1.1875, -1.5625, -0.0625, -1.6875, -0.4375, -1.8125, 0, -0.4375, 0, 0, 0, 1.125,
    -1.875, 0, 0.1875, 0, 0, 0, 2, 0, -1.9375, 0, 0, 0, -0.375, -0.375, -0.8125, 1.1875, -1.9375, 0.0625, -0.375,
    -0.375, -0.8125, 1.1875, -1.9375, 0.0625, 1, 2, -1, 0, 1, 1, 3, 0, -1.1875, 1.5625, 1.6875, 1.6875, 1, 1, -1, 0,
    -0.59375, 0, 1.6875, 0.84375, -0.59375, 1.5625, 0, 0.84375, -0.75, -1.3125, 1.125, 0.8125, -0.3125, -0.625,
    -1.375, 0.9375, 2, -0.625, 1.75, -2, 0.75, 1.3125, -1.125, -0.8125, 0.3125, 0.625, 1.375, -0.9375, -2, 0.625,
    -1.75, 2, -0.5, 0.9375, 0.0625, 0.5, 0.1875, -0.5625, -1.6875, 1, 1.875, -0.125, 0.75, -0.375, 0.5, -0.0625,
    -0.1875, -0.9375, -0.5, 0.5625, 1.6875, 0.125, -1, -0.75, -1.875, 0.375, 1.5625, -0.3125, -1.5625, 0.3125, 0,
    INFINITY, -0.25, -1.9375, 0, -INFINITY, 0.25, 1.9375, 0.3125, 1.3125, -1.6875, 1.6875, 1.3125, 0.375, 0.875,
    0.875, -0.5, -0.8125, 1.6875, -1, 1.3668379411737963, 3.715450737941104, 0.18498139990730428, 5.405948925141167,
    3.715450737941104, 1.4549914146182013, 1.1959831985270717, 3.251019395698466, -0.09249069995365214,
    -4.392333501677198, 6.269823120275613, -1.4549914146182013, 0.375, 0.3125, 0.375, -1, 0.4375, -0.25, -1.375,
    -1.5625, 1.6875, -0.25, -1.3125, -1.9375, 1.4549914146182013, 1.4549914146182013, 1.5488302986341331,
    1.3668379411737963, 0.36787944117144233, 0.7788007830714049, -2.0006131951000268, -0.3417094852934491,
    -2.2734240853409395, -0.4828417665375181, 2.6136511289451, -1.508926517200847, -0.1875, -1.75, 0.8290291181804004,
    -1.4508009568157005, -INFINITY, 0, -800, 1.9375, -0.875, -0.4375, 0, 1, 0, 0, -0.875, 0, 0.875, 3, 0.6875, 1.3125,
    0.3125, 1.8125, 2, 1.125, -1.8125, 0.375, -1.5, 2, -0.13353139262452263, 1.0986122886681098, -0.3746934494414107,
    0.27193371548364176, -1.1631508098056809, 0.5947071077466928, 2.2857142857142856, 0.375, -2.6363636363636362,
    0.2857142857142857, -4.8, 1.103448275862069, 0, 1, INFINITY, -0.1875, 0.0625, 0.125, -INFINITY, 0, INFINITY,
    -INFINITY, 0.0625, 0, 2.9375, 0.8125, 2.875, 2.625, 1, 2.9375, 1.9375, 2, -1.4375, -0.25, -0.3125, 1.5625,
    1.713913650100261, 0.9013878188659973, 1.695582495781317, 1.620185174601965, 1, 1.713913650100261,
    0.5652268420543414, 1.1094003924504583, -0.42389562394532926, -0.07715167498104596, -0.15625, 0.4558280984309205,
    0, 1, INFINITY, -1.6875, 1.75, 0.375, 0, 1, INFINITY, -INFINITY, 0.875, 0, 0.9375, -2, 0.375, 0.625, 0.0625,
    1.6875, 2, -1, -1.5, -1.9375, 1.1875, 1.3125, 0.87890625, 4, 0.140625, 0.390625, 0.00390625, 2.84765625, 3.75, 4,
    -1.125, -2.421875, 0.1484375, 4.4296875, 0.4375, -0.6875, -1.5625, 1.875, -0.9375, 0.625, 0.1875, -0.75, -1.625,
    -0.625, -1.3125, -0.5625, 0.19140625, 2.44140625, 0.87890625, 0.47265625, 3.515625, 0.390625, 0.1640625, 0.859375,
    2.34375, -4.921875, 3.046875, -0.703125, 0.6875, -0.75, 0.47265625, -1.03125, 0, 1.25, 0, 0, -0.125, 1.0625,
    1.3125, 0.5, 1.625, -0.6875, -1.9375, -1.8125, 1.5625, -2, 1.1875, 1.4375, 0.125, 1.0625, 1.3125, 0.5, 1.625,
    0.6875, 1.9375, -1.8125, 1.5625, -2, 1.1875, -1.4375, -0.4375, 0.75, -0.9375, -0.0625, -0.1875, 1.6875, 0.25,
    -0.3125, -1.0625, -0.375, -1.25, 0.875, 0.4375, 0.9375, 0.1875, 0.75, 0.0625, 1.6875, -0.25, -0.375, 0.3125, 1.25,
    1.0625, 0.875, -1.8125, 1.6875, 1.8125, -1.6875, 0, -1, -1.9375, 1.1875, 0, 1, 0, -1.1875, -1.9375, -0.6875,
    1.1875, 0.5, -1.375, -0.4375, 0.125, 0.25, 0.0625, 1.5625, 0.0625, 1.75, -0.9593352933146825, -0.5963735554792423,
    0.8298019099859595, 0.4621171572600098, -0.8798266996519848, -0.41157005567402244, 0.009959474375104017,
    0.16108464558126176, 0.01946429938647835, 1.2288245827592617, 0.01411906116121851, 1.4535676562268436, 0.9375,
    0.3125, 0.125, -0.4375, -1.875, 0.9375, -1.875, -0.5625, 1.1875, -1.6875, 1.5625, -0.125, 0.7340715196043415,
    0.12435300177159621, -0.9540452601799487, 0.3027097293321085, -0.41157005567402244, 0.7340715196043415,
    -0.8646356326983242, -1.5328690083579628, -0.5538016861595962, 1.2978282644882533, 0.10663469931470654,
    -0.057642375513221614, 1.125, -1.5, 0.809301070201781, -0.517547666655378, 0, 30, -30, -1.125, -0.5, -1.25, 0, 1,
    -1, -1.125, 0, 0, 0.75, 1, -0.0625, -1.5625, 1.5625, -1.5625, 0.375, -1.375, -1.0625, -1, -0.1875, -0.625,
    0.679178699175393, 0.7310585786300049, 0.4843800842769844, 0.1732882059293266, 0.8267117940706734,
    0.1732882059293266, 0.08171062266068026, -0.2703414082070375, -0.26536576937235623, -0.14325940361512188,
    -0.026861138177835354, -0.08953712725945119, 1, -0.8125, -1.75, 0.625, 0.8125, -1.5, 1.75, 1.0625, -0.375, 1.4375,
    -0.1875, 1.5, 0.7310585786300049, 0.14804719803168948, 0.6926419831347361, 0.30735801686526387,
    0.6513548646660542, 0.18242552380635635, 0.3440708831725932, 0.3060280328550043, 0.13401230176082113,
    -0.04257969467661008, -0.07983339987521852, 0.22371967810549928, -0.1875, -0.875, 0.45326184801538616,
    -0.21683860200543026, 0, 40, -40, -800, 0.5625, -0.3125, 1.6875, 1.375, 0.5, 1, 4.248354255291589e-18, 0,
    0.140625, 0, 7.169097805804556e-18, 0, 2, 1.875, 0.125, -1.125, 1.5625, -1.1875, -2, 1.625, -1.8125, 1.625, -0.75,
    0.0625, 2, 1.875, 0.125, 0, 1.5625, 0, -2, 1.625, -1.8125, 0, -0.75, 0, -0.5, 1.3125, 0.0625, 0.75, -1.6875,
    0.375, 1.25, -0.3125, 0.5625, 0.3125, -1.875, -1.9375, 0, 0.0625, 0, 1.3125, 0.75, 0.375, 0, 0.3125, -0.3125,
    -1.875, 0, -1.9375, -0.125, 0.1875, 0, 0, 0, -0.5, 0.5, -1.5, -1.625, -0.5625, 0, 0, 0.5, 0, 0, -0.5625, 1.375,
    -0.375, -1.75, 1.5625, -0.375, -0.25, 0.0625, -0.0625, -1.375, 0.375, 1.0625, 0.375, 1.097506819391979,
    -0.15275002501722384, -0.25908259655545657, 1.2917371782354272, -0.15275002501722384, -0.10945587477855048,
    0.063729885338366, -0.01980022262975457, 0.09993355081181601, 0.393957979582238, 0.3366037847058277,
    0.1411087419111759, 0.1875, 1, -1.4375, 0.4375, 1.8125, 2, 0.125, -0.375, 0.8125, -0.4375, 0.8125, -0.0625,
    0.1025134034971151, -0.2759033805179029, 1.558140547799224, 0.7310585786300049, 0.2658526368018901,
    1.7615941559557646, 0.07415044583750789, -0.40585584894377547, 0.011630883546619765, 0.5784731474009417,
    0.8761409728227679, -0.06817401554905597, -0.4375, 0.625, -0.17164736319810991, 0.18002065584542953, 0, 40, -40,
    1.3125, -1.4375, 0.8125, 0, 40, -1.6993417021166355e-16, 0.65625, -1.4375, -1.346197254645522e-16, -1.5625,
    -0.0625, -0.8125, 0.25, -1.9375, -1.125, -1.9375, 0.5625, -1.6875, -0.3125, 1.625, 0.9375, -0.09232050458229304,
    -0.029692645685672047, -0.16920506954658848, 0.14967658142073093, -0.05103787046021152, -0.14658133177890995,
    0.24183188564158178, 0.25323586308440005, 0.04178549380995479, -0.21730417340113628, -0.1494389131266275,
    -0.10131254002579976, -0.4375, 1.1875, 1.125, 1.875, 0.9375, 1.125, -0.5625, -1.625, 1.5, -1.6875, -1.375, 1.625,
    -0.14475754476788466, 0.97841866822109, 0.7741399576119916, 1.0479506664018081, 1.8180068216901348,
    0.97841866822109, -0.09689990587632248, -1.8841737990686203, -1.8006084027113864, -1.5105446199384556,
    1.600134114385532, 1.8006084027113864, 1.625, 1, 1.5403679209502683, 1.1210434062969812, 0, 10, -10, -1.6875,
    -0.5, -1.1875, 0, 10, 0, -0.84375, -0.5, 9.137335869213874e-22, 1.4375, -0.75, 1.5625, -1.4375, -1.0625, 0.6875,
    0.375, -1.9375, -1.0625, 0.3125, -1.375, -0.375, 1.3290444073489247, -0.17003944483437966, 1.4699806126108914,
    -0.10845559265107522, -0.15317884911818075, 0.5184027048205461, 0.4233450611996883, -0.0020571287337596347,
    -1.195497740918666, -0.04028755099974025, 0.13297603190839435, -0.36390436837602613, 1.375, 0.1875, -0.6875,
    0.125, -1.3125, 1.3125, 1.75, 1.8125, -0.4375, -2, -0.875, -1.6875, 1.25848855283428, -0.16909729517945388,
    -0.12449341316899237, 0.10769316959978953, 0.06871719862422339, 1.1880065868310077, 1.9750388911291532,
    -1.2957112352279427, 0.05362888618254036, -0.5243134803924425, 0.05535279650842666, -1.90100364367536, 0.4375,
    -0.0625, 0.29273192310085266, -0.0517277401616965, 0, 10, -10, -1.6875, -1.875, -1.125, 0, 10, 0, -0.84375,
    -1.875, 0, 1.875, 0.125, 1.5625, -0.6875, -0.25, 0.8125, 2, 0.5, -0.4375, -1.1875, 3.515625, 0.015625, 2.44140625,
    0.47265625, 0.0625, 3.046875, 0.5, 1.5625, 0.6015625, 0.59375, -1.875, 1.5625, -1.125, 1, 1.3125, -0.4375, 1.0625,
    0.4375, 1.4375, 0.25, -6.591796875, 3.814697265625, -1.423828125, 1, 2.260986328125, -4.6142578125,
    7.781982421875, 1.6611328125, 4.3125, 1.2919921875, -0.125, 1.3125, 1.9375, 0.25, 2, 0.0625, 1.3125, -0.625,
    1.875, -0.9375, -0.125, 1.3125, 1.9375, 0.25, 2, 0.0625, 1.3125, -0.625, 1.875, -0.9375, -2, 0.6875, 1.1875,
    0.125, 1, 1.5, -0.3125, -1.5, 1.125, -1.0625, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, -0.6875, -0.4375, -2, -1.0625,
    -1.1875, -0.1875, -1.5625, 0.75, -0.0625, -0.25, -1.4545454545454546, -2.2857142857142856, -0.5,
    -0.9411764705882353, -0.8421052631578947, 0.39669421487603307, 8.16326530612245, -0.1875, 0.05536332179930796,
    0.1772853185595568, 1.1875, -1.125, -1.8125, -1.3125, -1.5, -0.6875, -0.5625, -0.625, 1.0625, -0.75,
    0.7091412742382271, 0.7901234567901234, 0.30439952437574314, 0.5804988662131519, 0.4444444444444444,
    0.8211109491179472, -0.7901234567901234, -0.20993070646602974, 0.939855307202246, -0.4444444444444444, 0.5, 1.5,
    2.125, 2.625, 2.0625, 1.6875, -0.3125, -2, -0.9375, 1.5625, 0.7071067811865475, 1.224744871391589,
    1.4577379737113252, 1.620185174601965, 1.4361406616345072, 1.1932426932522988, -0.1275775907699572,
    -0.6859943405700353, -0.28931878117892235, 0.5439926748615558, 2.0625, 1, 3, 2.5625, 0.5, -0.9375, -0.0625,
    -0.5625, -1.1875, -2, 6.109207736406165, 1, 15.588457268119896, 10.511378753051385, 0.1767766952966369,
    -6.94228151864337, -0.15625, -7.307089344431201, -12.177816848047337, -1.7677669529663689, 1, 0.6875, 1.6875,
    2.625, 0.375, 0.375, 0.5625, -0.3125, -1.9375, -0.75, 1, 1.2060453783110545, 0.769800358919501,
    0.6172133998483676, 1.6329931618554523, -0.1875, -0.49338220021815865, 0.07127781101106491, 0.22778113565832614,
    1.632993161855452, 0, 1, -1, 0.8125, 1.25, 1.1875, 1, 1, 1, 0, 0, 0, 0, 1, -1, 1.25, -1.625, -0.5625, 0, 1, -1,
    1.25, -1.625, -0.5625, 0, 1, -1, -0.0625, -2, -1.1875, 0, 1, 1, 0, -4, 2.375, 0, 1, -1, 0.5, 1.8125, 0.4375, 0, 1,
    -1, 0, 5.4375, 1.3125, -2, -0.9375, 0, 0.4375, 1, 0.75, 1, -0.75, -0.8125, 0.8125, -1, -0.9375, 0, 0.4375, 0.5, 0,
    1, -0.75, -0.8125, 0, -1.625, -0.8125, 1.375, -1.125, -1.4375, 0.25, 0.0625, -0.25, 1.5, -0.5625, -0.375, 1.0625,
    0.3, 0.3, 1.375, 0.3, 0.3, 0.3, 0, 0, 1.5, 0, 0, 0, 0.8125, 0.9375, 1.875, 1.5, 2.375, 1.1875, 1.375, -1.9375,
    0.1875, 1.4375, 1.9375, 0.25, 2.3125, 2.4375, 3.375, 3, 3.875, 2.6875, 1.375, -1.9375, 0.1875, 1.4375, 1.9375,
    0.25, 2.4375, 1.1875, 1.75, 2.9375, 3, 2.6875, -1.5, -0.5625, 1.875, -1.125, -1, -1.9375, 3.9375, 4.4375, 2.6875,
    4.5, 3.25, 4.1875, -1.5, 1.875, -1, -0.5625, -1.125, -1.9375, 1.25, 1.625, 1.6875, 1.8125, 0.75, 1.875, -0.6875,
    1.1875, 1.625, 1.875, -0.875, -1.6875, -0.25, 0.125, 0.1875, 0.3125, -0.75, 0.375, -0.6875, 1.1875, 1.625, 1.875,
    -0.875, -1.6875, 0.5625, 1.125, 1.5, 1.5, 0.5, 2, 1.25, 1.0625, -1, 0.375, 0.375, -1.0625, -0.9375, 0, -0.375, -1,
    0, 0.5, 1.25, -1, 0.375, 1.0625, 0.375, -1.0625, 2.5625, 1.5625, 1.125, 2.25, 2.5625, 2.875, -0.9375, 1.25,
    0.0625, 0.25, 1, 0.25, -1.0625, -0.0625, 0.375, -0.75, -1.0625, -1.375, 0.9375, -1.25, -0.0625, -0.25, -1, -0.25,
    2.3125, 2.75, 2.8125, 2.75, 1, 1.1875, 1.8125, -0.9375, 0.0625, -0.5, -1.125, -0.25, -0.8125, -1.25, -1.25, 0.5,
    -1.3125, 0.3125, -1.8125, -0.0625, 1.125, 0.9375, 0.5, 0.25, 0.5625, 1.75, 1.6875, 2.1875, 1.75, 2, -0.5, -1.6875,
    0.375, -0.25, -0.875, 1.8125, -0.84375, -2.625, -2.53125, -3.28125, -2.625, -3, 0.75, 2.53125, -0.5625, 0.375,
    1.3125, -2.71875, 1.6875, 2.8125, 1, 1.6875, 2.6875, 2.375, -0.75, -1.1875, -0.125, -0.4375, -0.1875, -0.875,
    -2.53125, -2.53125, -4.21875, -4.03125, -1.5, -3.5625, 1.125, 0.1875, 0.28125, 1.78125, 0.65625, 1.3125, 2.75, 2,
    2.625, 2.5, 0.875, 2.375, -1.0625, -0.4375, 0.25, 1.75, -1.8125, 2, 0.9166666666666666, 0.6666666666666666, 0.875,
    0.8333333333333334, 0.2916666666666667, 0.7916666666666666, -0.3541666666666667, -0.14583333333333334,
    0.08333333333333333, 0.5833333333333334, -0.6041666666666666, 0.6666666666666666, 0.4375, 0.6875, 2.75, 1.0625,
    1.75, 2.25, 1.8125, -0.4375, 0.625, -0.0625, -1.9375, -0.3125, 0.14583333333333334, 0.3541666666666667,
    0.22916666666666666, 0.5833333333333334, 0.9166666666666666, 0.75, 0.6041666666666666, 0.20833333333333334,
    -0.6458333333333334, -0.14583333333333334, -0.020833333333333332, -0.10416666666666667, 1.5, 1.375, 2.3125, 2.25,
    1.875, 0.25, 0.5, 0.25, 2, -0.5, -1.5625, -1.8125, 1, 1.0909090909090908, 0.6486486486486487, 0.6666666666666666,
    0.8, 6, -0.3333333333333333, -0.19834710743801653, -0.5609934258582908, 0.14814814814814814, 0.6666666666666666,
    43.5, 2.75, 0.25, 0.4375, 2.1875, 2.25, 1.8125, -1.5625, 0.0625, -0.25, -0.1875, 0.25, 0.5625, 0.5454545454545454,
    0.6857142857142857, 6, 0.6666666666666666, 3.4285714285714284, 0.8275862068965517, 0.30991735537190085, 6,
    -1.9591836734693877, -0.019591836734693877, 0.05555555555555555, -0.25683709869203325, 1, 2, 3, -1, 2, -1, 0, 0,
    0, 1, 1, 2, 3, -1, 2, -1, 1, 0, 0, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0, 1, 2, 3, 3, 2, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0,
    0, 1, 1, 1, 0, 0, 0.5, -1, 0, 0, 1, 1, 0, 1, -3, 0, 1, 1, 0, 1, -3, 7, 0, 1, -3, 7, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1,
    1.8125, -0.6875, 0.1875, -1, -0.25, 1.1875, 0.125, -1.3125, 1.25, 1.1875, -0.9375, -0.625, 1.125, -2, 1.9375,
    0.875, 0.1875, -1.25, 1.8125, -1.3125, 0.1875, 1.1875, -0.9375, 1.1875, 1.125, 0, 1.9375, 0, 0, -1.25, 0, -2, 0,
    0.875, 0.1875, 0, 1, 0, 1, 1.0625, 1.9375, 1.625, -0.9375, 0.9375, -1.5625, -1.6875, -1.0625, -0.1875, 1.0625,
    1.625, 1.0625, 1.9375, 1.625, 1.9375, -2.5, -1.875, -0.125, -0.0625, -1.5, -1.3125, 0.875, -2, -1.5625, 0.5625,
    -0.75, 0.5625, -1.6875, -0.6875, 1.0625, 1, 0, 1, 0, 0, 1, -0.625, 0.1875, -1.625, -0.125, -0.875, 0.5625,
    -1.5625, -1, -0.1875, -2, -1.125, -0.5625, -2.5, -1.5, -2.5, 0.875, -2, -2.5, -2.5, -0.75, -2.5, -1.6875, -0.6875,
    -2.5, 0, 0.1875, 0, -0.125, -0.875, 0, 0, -1, 0, -2, -1.125, 0, -0.625, -0.625, 2, -0.3125, 0.1875, -0.5625, 1, 0,
    1, 1, 1, 1, -1.25, 1.8125, 1.5, -1.875, 1, -1.375, -INFINITY, 2, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0,
    1.8125, 0, 0, 0, -2, 0.8125, 1.4375, 0.75, -0.1875, 1.1875, -0.0625, 2, -0.0625, -0.0625, -0.0625, -0.0625,
    -0.0625, -0.0625, 0.75, -1.25, -1.5625, 2, -0.1875, -0.25, -2, -0.5, -2, -2, -2, -2, -2, -2, -0.75, 1, 2, 0.625,
    1.1875, -0.5, 1.9375, 1.75, 2.25, 1.3125, 1.9375, 1.9375, 1.9375, 1.75, 1.75, 1.75, 0.125, 0.3125, -1.25, -0.8125,
    0.5625, 1.8125, -1.0625, -0.75, 1.9375, -1.75, -0.25, -1.5625, 1.6875, -0.25, -0.375, -1.375, -1.875, 0.5625,
    1.6875, 1.6875, -0.25, -0.25, -0.375, -0.375, 1.6875, 1.6875, -0.25, -0.25, -0.375, -0.375, -0.75, 1.125, -1.875,
    0.6875, 0.25, -0.9375, 1.125, 1.75, 0.0625, 0.125, 0.5625, 0.9375, 1.25, 1.5625, -0.625, 1.1875, -2.375, 0.875,
    1.75, 2.8125, 1.25, 1.5625, 1.25, 1.5625, 1.25, 1.5625, -0.625, 1.1875, -0.625, 1.1875, -0.625, 1.1875, -0.625,
    -0.625, 0.6875, 0.4375, -0.75, -0.375, 1.875, 0.25, 1.9375, -0.375, 0.75, 1.3125, 0.4375, 0.0625, 3.875, 0.625,
    0.4375, 0.0625, 0.4375, 0.0625, 0.4375, 0.0625, 0.4375, 0.0625, 0.4375, 0.0625, 0.4375, 0.0625, 1.625, 0.6875,
    0.125, -1.625, 4.875, 2.0625, 0.375, -4.875, -0.6875, 1.5625, -0.6875, 1.5625, -1.5, -1.4375, 1.5625, -0.8125,
    -0.6875, -0.625, 1.125, -0.5833333333333334, 0.1875, 0.1875, 0.1875, 0.1875, 0.1875, 0.1875, -0.875, 1.75, -1.625,
    0.5625, 0.9375, 0.8125, 0.5, 0.2604166666666667, 0.08333333333333333, 0.08333333333333333, 0.08333333333333333,
    0.08333333333333333, 0.08333333333333333, 0.08333333333333333, 1.875, 0.8125, 1.5, 0.5, -1.25, -0.1875, -0.1875,
    0.1875, 1.3958333333333333, -0.3125, -0.0625, -0.0625, -0.0625, 0.0625, 0.0625, 0.0625, -0.4375, -1.4375, 0.375,
    -0.0625, 0.4375, -1.4375, 0.5, -1.4375, 0.9375, -1.125, 0.6875, 1.375, -1.875, -1.9375, 1.8125, -0.703125,
    0.03125, 0.265625, -0.46875, -0.46875, -0.484375, -0.484375, 0.453125, 0.453125, -0.46875, -0.46875, -0.484375,
    -0.484375, 0.453125, 0.453125, 1.3125, -0.125, -1.9375, -1.875, 1.0625, -1.625, -1.5, 0.9375, 1.1875, -1.0625,
    0.75, 1, -1.5625, 0.3125, -0.0625, 1.625, 0.14583333333333334, -1.2083333333333333, 0.14583333333333334,
    0.2916666666666667, -0.5208333333333334, 0.10416666666666667, -0.5208333333333334, 0.10416666666666667,
    -0.5208333333333334, 0.10416666666666667, -0.020833333333333332, 0.5416666666666666, -0.020833333333333332,
    0.5416666666666666, -0.020833333333333332, 0.5416666666666666, 0.0625, -1.6875, -1.4375, -0.9375, 1.375, 1.8125,
    0.0625, 1.625, 0.75, -0.375, -1.5, -0.5, 0.0625, 0.9375, -0.11458333333333333, -0.010416666666666666,
    0.010416666666666666, 0.15625, 0.010416666666666666, 0.15625, 0.010416666666666666, 0.15625, 0.010416666666666666,
    0.15625, 0.010416666666666666, 0.15625, 0.010416666666666666, 0.15625, 0.375, 0.0625, 1.5, 0.625, 0.375, 0.0625,
    1.5, 0.625, 0.1875, -1.625, 0.1875, -1.625, -0.0625, -1.3125, 0.5625, 1.25, 1.1875, -0.6875, 1, 1.25, 0, 0, 0, 1,
    0, 0, -1.5625, 1.625, -1.4375, 1.5, 1.125, -1.25, 0.1875, 1.625, 0, 0.1875, 0, 0, 0, 0, 0.375, -1.1875, 0.6875,
    -1, -0.625, 1.875, 1.375, -1.625, 0.6875, 1.875, 0, 0, 1.375, 0, 0, -1.625, 1.9375, 0.5625, 0.3125, 0.5, 1.8125,
    -1.8125, 1, -0.5625, -0.1875, -1.25, 1.9375, -1.8125, -0.0625, -1.3125, 0.375, 1.9375, 0.5, 1.9375, -0.0625, 0, 0,
    -1.3125, 0, 0, 0, 0, 0, 0, 0.375, 0, 1.6875, -1.0625, -1.625, -1, -1.75, 1.375, -0.75, 0.375, 1.0625, -1.375,
    -1.5, 1.4375, -0.6875, -1.3125, -0.25, 1.75, 1.6875, 1.375, 1.0625, 1.4375, -0.6875, 0, 0, 0, 0, -1.3125, 0, 0,
    -0.25, 0, 0, 1.75, 0.5625, 1.5, -1.9375, 0.4375, 0.25, -1.5, 1.25, -1.6875, 1.9375, -0.75, 0.75, 0.875, -1.1875,
    -0.125, 1.9375, 1.5, 0, -0.125, 0, 0, 0, 0, 0, 0, -1.1875, 0, 0, 0, -0.5625, -0.5625, -0.375, 0.25, -0.5625,
    -0.5625, -0.375, 0.25, 1.625, 0.1875, 1.625, 0.1875, 1.375, -0.6875, 0.375, -0.8125, 0.4375, 0.5625, -1.8125,
    -0.8125, 0, 0, 0, -1.8125, 0, 0, -1.0625, -2, 1.75, -0.75, 0.8125, 0.625, -0.4375, -2, 0, -0.4375, 0, 0, 0, 0,
    1.5625, 1.625, -1.0625, 1.8125, 0.3125, 1.75, 1.4375, -0.1875, -1.0625, 0.3125, 0, 0, 1.4375, 0, -0.1875, 0,
    1.0625, -1.5, 1.25, -1.375, 1.25, -2, -0.8125, -1.4375, -0.875, 0.5625, -0.4375, 0.4375, -0.8125, -1.8125, -1.125,
    -1.5, -1.375, -2, 0, -0.8125, 0, -1.8125, 0, -1.125, 0, 0, 0, 0, 0, 0, -1.9375, 2, -0.75, -1, -1.375, 1, 1.0625,
    -0.375, -1.5625, 1.5625, -0.8125, 0.75, 1.9375, 1.75, 1.4375, 1.9375, -1.9375, -1, -1.5625, -0.375, 1.9375, 0, 0,
    1.75, 0, 0, 0, 1.9375, 1.4375, 0, 0, 0, 0.5625, -1.3125, -0.25, -0.5625, -1.0625, 1.75, -0.5625, -0.5625, 1.25,
    0.5625, -0.3125, 1.8125, -1, -1.125, -1.0625, -1.3125, 0, -1.125, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1.625, -1.5,
    0.5625, 0.25, 1.625, -1.5, 0.5625, 0.25, 1.4375, -2, 1.4375, -2, 1.9375, 1.8125, 0.625, 1.25, -1.3125, 0.25,
    -1.3125, 2.994675673718432, -0.4560093532181527, -0.4024268417646245, -0.12273325240502252, -0.2292959026481919,
    -0.017681401434889783, -0.0843532485291183, 1.6875, 0.375, 0.0625, 0.25, -1.1875, 1.875, 1.6875,
    2.774790178780542, 0.5689048767509103, 0.15311867035173388, 0.11202401231285732, 0.13512675231327687,
    0.032095416891158614, 0.6862302713800629, -0.375, -0.8125, -0.8125, -0.875, 0.5625, 1.8125, -0.625, -0.75,
    0.45411805584996845, 2.115973467623853, -0.27277126692107606, -0.17611436653946197, -0.17611436653946197,
    -0.03767888051362399, -0.1586340121978153, -0.5536871072885605, 0.5625, -1.625, 0.4375, 1.6875, 1.5, -0.9375,
    -0.9375, 0.0625, 1.3125, 0.375, 0.9375, -2, 1.875, -1.875, -1.5625, 1.226145097556259, 2.495287694498904,
    2.0231647236029087, 0.9655702320391565, 0.10833397761380015, -0.23950546714198476, -0.835956220512635,
    -0.9260031700381459, -0.08091325525180547, 0.21544784050945354, 0.5856479498375902, -0.5745437478969558,
    -0.2249945644484242, -0.527620701934124, -0.027962872775924286, 1.8125, 1.4375, 1.75, 0.5625, -2, -0.9375, -0.375,
    -1.375, 1.625, -1, -0.25, 1.125, -1.25, 1.1875, 1.9375, -1.4375, 2.486212515201522, 1.8495278652898857,
    1.8786263925829143, 1.3085857297992836, -0.6372654674168585, 0.7864881617859285, -0.5986555045713322,
    0.3278570435753197, -0.014079028011809484, 0.07315479463875181, 0.2034717894810997, -0.09820675909426207,
    1.503464467025653, -0.1428899913396293, 0.23056374349324707, -1.1964032495661088, -0.3125, -1.1875, 0.0625, 2,
    1.3125, -1.5, -1.4375, -1.625, -1.8125, 0.25, 1.3125, -1.25, 1.1875, 0.4375, 2.264652451031571,
    2.2705381222308305, 0.09023822203029908, 0.013777524204217326, 0.1312958383244962, 0.33379885584875374,
    0.45826750463995386, 0.01007985203599604, 0.02929606143216719, 0.008895438200277533, 0.020134868933130205,
    0.05800554350008462, 0.45826750463995386, 0.012942786210670593, -0.5625, 1.75, 0.8125, -0.5, 0.5361122886681098,
    2.84861228866811, 0.8125, -0.4999999999999998, 0.6875, 1.875, 0.6875, 1.875, 1.625, -0.5, 0, 0, -1.8125, -1.8125,
    NAN, NAN, 1, 3, 3, 1, 2, 2, 2, 2, 0.0625, 0.8125, 3, 2, 0, 0.03125, 0.03125, 0, 0.203125, 0.203125, 0.203125,
    0.203125, 1, 3, 3, 1, -1.25, 3, 0, -0.625, -0.625, 0, 1, 3, 3, 1, 2, 2, 2, 2, 0.25, 0.4375, 1, 2, 0.125, 0, 0,
    0.125, 0.109375, 0.109375, 0.109375, 0.109375, 1, 3, 3, 1, -1.1875, 1, -0.59375, 0, 0, -0.59375, -INFINITY,
    -INFINITY, -INFINITY, 1, 800, 801, 0.75, -1.0625, 1.75, -INFINITY, 1, 801.3132616875182, 0, 0, 0, -1.0625,
    0.4706474873974991, 1.2793525126025294, 0.375, -2, -0.9375, 1.5625, 0.5625, -0.4375, -0.375, -1.6875, -0.25,
    0.875, 1.802734375, 0.639404296875, -0.078125, 0.21875, 0.0859375, -0.2265625, 0.4580078125, 0.0205078125,
    0.0478515625, -0.5263671875, -0.5, -1.875, -0.6875, -0.8125, -1.5625, 1.4375, 1.8125, -0.3125, -0.875, -1.125,
    0.3815104166666666, 2.47265625, -0.27343749999999994, 0.5286458333333333, -0.16406249999999997,
    -0.09114583333333331, 1.4296875, -0.8203125, -1.1015625, 0.4921875, -1.3125, 1.1875, 0.5625, 1.25, -1.625, -1.75,
    -0.375, 1.3125, 1.25, -1.4375, 1.719921875, 2.432421875, -1.734375, 0.765625, 0.140625, 0.828125, 1.16796875,
    1.3117187499999998, -0.26953125, -2.21015625, -1.375, -1.375, 1.3125, 0.5, 1.875, 1.4375, -1.625, 0.5625, 1.5625,
    -1.625, 0.5, 0.1875, -1.3125, -1.6875, 1.75, 1.0348307291666665, 2.0963541666666665, 0.6223958333333334,
    0.369140625, 0.369140625, -0.984375, -0.0703125, 1.0208333333333333, 0.5104166666666666, 0.587890625,
    -1.326171875, -1.265625, 2.3203125, -0.5833333333333333, -0.9479166666666665, 1.6875, 1, -0.5625, 2, 0.3125,
    -1.3125, 1, 1.3927951388888886, 0.38888888888888884, 0.1597222222222222, -0.36111111111111116,
    0.49305555555555547, -0.06944444444444445, -0.6111111111111112, 1, 3, 3, 2, 2, -1, 1, 0, 0, 1, 3, 3, 2, 2, -1, 1,
    0, 1, 3, 3, 2, 2, -1, 1, 0, -1.875, 1.375, 0.125, 0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125,
    1.5625, -1.375, -1.5625, -1.5625, 0.25, 0.5625, -1.625, -2, -0.4375, 1.875, 0.8125, 1.125, -1.875, 1.375, 0.125,
    0.1875, 0.25, 1.5, -1.9375, 1.625, -0.625, -1.375, 1, -1.8125, 1.5625, -1.375, -1.5625, -1.5625, 0.25, 0.5625,
    -1.625, -2, -0.4375, 1.875, 0.8125, 1.125, -0.25, -1.1875, -1.0625, 1.0625, -1.625, -0.625, -1.375, -1.4375,
    -1.875, 1, -1.1875, -0.5, -0.25, 1.0625, -1.1875, -1.625, -1.0625, -0.625, -1.375, -1.875, -1.1875, -1.4375, 1,
    -0.5, 1.0625, 1.5625, -0.1875, 1.25, -1.0625, -2, -1.6875, -1.5625, 0.3125, -0.25, 1.1875, 1, -1.4375, -0.5,
    0.31640625, -1.953125, -0.33203125, 0.5, 0, 0, -2.00390625, -1.5625, -0.44921875, 0.125, -0.22265625, 1.25,
    1.52734375, 1, 1.375, -1.0625, -0.4375, 0.0625, 1.125, -0.75, 0.5625, 1.375, -1.125, -1.875, -1.5, -1.0625,
    -1.625, -1.75, 0.4375, -0.25, 1.5, -1.1875, -1.75, 1.375, 1.9375, -0.0625, -1.125, 1.8125, -0.4375, 0.5, 0.0625,
    -1.0625, 0.0625, -2, -1.375, -1.3125, 1.5, 1.9375, 0.5625, 1.875, -2.234375, -0.984375, -0.19140625, 0.28125,
    1.6875, 1.78125, 1.859375, 1.890625, 0.12109375, 0.1171875, 0.84375, -1.92578125, 0.7109375, 2.40625, 0.02734375,
    2.90625, 0.09375, -0.6328125, -0.875, -1.8046875, 0.265625, -0.12109375, 2.375, 3.3984375, -0.6015625, 0.28125,
    -0.02734375, 1.1953125, 0.0703125, 3, 1.4609375, -1.8046875, 0.09375, -3.6328125, -0.421875, -1.9921875, 2,
    -0.5625, 1.375, 0.5625, -1.1875, -1.5, -1.625, 0.1875, -1.25, 0.5625, -1.8125, 1.5625, -1.4375, -2, 0.9375,
    -0.125, 1.75, 0.3125, -1.6875, -1.4375, 1.625, -0.5625, -0.0625, -0.25, 1.125, 0.875, 0.375, 0.5625, -0.125,
    -0.5625, -1.6875, -0.25, 0.6875, -1.1875, -1, -1.8125, -2.875, -2.75, -1.11328125, 0.203125, -2.1875, -0.56640625,
    0.94921875, -0.80859375, -2.4375, -0.10546875, -0.03515625, -0.390625, -1.6171875, 2.84765625, -1.75, 0.359375,
    0.3515625, 1.1171875, -0.0703125, 0.66796875, -0.21875, 0.0625, -0.17578125, 0.453125, 2.25, 1.203125, -0.4453125,
    -0.9140625, 0.15625, 1.01953125, 0.94921875, -0.140625, -1.03125, -0.22265625, -0.5625, -2.83203125, 1.25, 0.5,
    -0.125, -1.5, -1.75, 1.4375, -0.875, -1.25, -0.4375, 0.5625, -1.1875, -0.75, -1, 0.125, -0.6875, 1.25, -1.6875,
    -1.4375, 1.375, -2, 0.5, -1.5, 1.4375, -0.4375, -1.1875, -1, 0, -0.6875, 0, 1.25, 0, -1.6875, 0, 0, -1.4375, 0,
    1.375, 0, -2, 0, -0.875, -1.125, 1.5, 0.6875, -0.25, -1.4375, -0.125, -1.9375, -1.125, -1.8125, -1.625, -1.375,
    -0.25, -1.4375, -0.125, -1.9375, 0, 0, 0, 0, -1.125, -1.8125, -1.625, -1.375, 1.6875, 1.6875, 1.3125, 1.1875,
    -0.375, 1.5625, -1.375, -1, 0, 0, 0, 0, 0, 0, 0, 0, -0.8125, -0.1875, -1.625, 0.5625, 1.625, 1.4375, 0.125,
    0.15234375, 0.3046875, -0.9140625, -0.3046875, -3.65625, -0.19921875, -0.203125, 0.0625, 0.75, 2, 0.625, 1.875,
    -1.125, 1.6875, -1.3125, -1.5625, 1.75, -1.1875, -1.1875, 1.5625, 0.0625, 0.0625, 0.6875, 1.875, -1.125, -1.1875,
    -1.1875, 0, 0, 0, 0, 1.5625, 0.0625, 0, 0, 0, 0, 0.0625, 0.6875, 1.25, 1.25, 0.125, 1.5625, 0.15625, 0.15625,
    1.4375, -0.625, -0.9375, 1.5, -0.3125, 1.6875, -1.25, -0.0625, 0.375, -1.125, 1, -2, 1.4375, -0.625, -0.9375, 1.5,
    -0.3125, 1.6875, -1.25, -0.0625, 0.375, -1.125, 1, -2, -0.6875, -1.3125, 0.125, -1.625, 1.625, 0.3125, -1.875,
    0.0625, -0.125, 1.1171875, -2.1328125, 0.0390625, 3.046875, 0.1015625, -0.0390625, 1.2890625, -0.08203125,
    -0.015625, 1.9375, 0.1875, 1.625, -0.1875, 0.75, 0.0625, 1.875, 0.5625, 1, 0.5, -1.0625, 1.0625, 1.875, 1.25,
    0.4375, -1.8125, 0.4375, 0.1875, -0.1875, 0.0625, 0.375, 1.875, -1.875, 0.5625, -0.375, -1.1875, -1.4375, -1.6875,
    -0.75, -1.4375, -0.1875, 1.8125, 0.625, -1.0625, 3.6328125, 1.08984375, 1.9375, 0.96875, 0.3515625, 0.10546875,
    0.1875, 0.09375, 3.046875, 0.9140625, 1.625, 0.8125, -0.3515625, -0.10546875, -0.1875, -0.09375, 1.40625,
    0.421875, 0.75, 0.375, 0.1171875, 0.03515625, 0.0625, 0.03125, 1.10546875, 0.33203125, 0.99609375, -4.16796875,
    -5.11328125, 0.76171875, -3.01953125, 0.5625, 3.87109375, 4.58203125, -1.875, 1.625, -0.625, -0.6875, -1.6875,
    -0.625, -1.5, -0.75, -1.5625, 1.875, 0.9375, -1.5625, 1.6875, 1.4375, -0.125, -1.1875, 0.625, 1.0625, -1.375,
    -0.25, 1.4375, 0.125, 0.5625, -0.75, 1.25, -0.625, 1.171875, 1.2890625, 3.1640625, -1.015625, -2.4375, -1.21875,
    2.9296875, -3.515625, -1.7578125, -2.5390625, 2.7421875, 2.3359375, -1.64453125, 3.96875, 0.234375, 2.2265625,
    -1.171875, 1.7265625, -2.234375, -0.40625, -2.6953125, -0.234375, -1.0546875, -1.21875, 2.03125, -1.015625,
    1.3125, 1.75, -0.875, 0, 0, 0, -0.125, 1, 1.3125, 1.4375, -0.25, -1.3125, -0.6875, -0.5625, 1.9375, -0.5, -1.4375,
    1.8125, -0.125, 1.4375, 1, -0.25, 1.3125, -1.3125, -0.6875, 1.9375, -1.4375, -0.5625, -0.5, 1.8125, 0.9375, 1.75,
    -0.4375, 0.1875, -0.3125, 0.875, 0.87890625, 3.0625, 0.19140625, 0.3515625, -1.09375, -0.765625, 0.9375, 1.375,
    -1.1875, 1.3125, 1.75, -0.1875, 0.87890625, 1.890625, 1.41015625, 1.23046875, 2.40625, 0.22265625, 2, 1.125,
    -1.1875, 1.875, -1.75, -0.8125, -1.5625, -1.6875, 1.3125, -1.625, 1.6875, -2, 1.625, -0.9375, -2, 0.875, 2,
    -1.1875, 1.875, -1.75, 1.125, -0.8125, -1.5625, -1.6875, 1.3125, 1.625, -1.625, 1.6875, -2, -0.9375, -2, 0.875,
    0.0625, -0.4375, 1.5625, 1, 1.75, -0.3125, -1.375, -0.5, -0.0625, 1.875, 1.5625, 1.6875, 1.75, -2, 0.0625, 1.5625,
    -0.4375, 1, 1.75, -0.3125, 1.75, -0.3125, -1.375, -0.0625, -0.5, 1.875, 3.3125, -0.3125, -0.4375, 1.0625, 0.75,
    0.0625, -0.4375, 0.875, 0.9375, 1.125, -1.25, -0.375, -0.8125, -1.0625, 0.125, 0.5, 1.25, 1.9375, -1, 0.6875,
    1.125, -1.5625, -1, -1.3125, 0.8125, 0.75, -0.4375, 0.9375, 1.0625, 1.125, 0.75, -1.25, 0.0625, -0.375, -0.4375,
    -0.8125, 0.875, -1.0625, 0.125, 1.25, -1, 1.125, -1, 0.8125, 0.5, 1.9375, 0.6875, -1.5625, -1.3125, 0.75, 0.9375,
    1.0625, -1.0625, 0.25, 0.9375, 1.0625, -1.0625, 0.25, 1.875, -1.125, -0.4375, 1.625, 1.5, -0.9375, 1.75, 0.4375,
    -0.875, -1.625, 0.125, -0.125, 0.4375, 0.5625, -0.8203125, -1.828125, -0.41015625, -1.53125, -0.0546875,
    -0.203125, 0.234375, 0.140625, 0, 0.19140625, -0.4921875, -0.41015625, 0.984375, 0, 0.9375, -0.875, 0.125, 1.875,
    -1.5, 2, 0.9375, -1.8125, -0.375, -0.1875, 1.875, -1.625, -1.5, -0.1875, 0, 0, 0, 0, 1.875, 0, 0, 0, 0, -1.625,
    1.875, -0.75, -2, 1.0625, -0.875, -0.375, -1.125, -0.375, 2, -1, -1.25, -1.625, 0.3125, -1.1875, -0.3125, 0.1875,
    -1.1875, 0.375, -0.4375, -0.9375, -0.5625, 0.0625, 1.9375, 0.5, -1.1875, 0.375, -1.9375, -0.5625, 1, -0.3125,
    -0.0625, 1.625, 1.5, -1.3125, -0.3125, 1.5, 1.875, 0, 0, 1.0625, -0.875, 0, -1.125, -0.375, 2, -1, 0, 0, 0.3125,
    -1.1875, 0, 0.1875, -1.1875, 0.375, -0.4375, 0, 0, 0.0625, 1.9375, 0, -1.1875, 0.375, -1.9375, -0.5625, 0, 0,
    -0.0625, 1.625, 0, -1.3125, -0.3125, 1.5, -0.4375, -0.125, 1.3125, -1.75, -0.75, 0.5, 1.125, -1.3125, -1, -1.25,
    1.3125, -0.5625, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125, -1.5625, -1.625, -0.6875, -0.625, -0.875, 1.0625,
    0.0625, -1.3125, 0.4375, 0.5, -0.25, 0.9375, 1.5625, -1.0625, 0.75, -0.3125, 0.1875, 1.375, -0.4375, -0.125, 0,
    -1.75, -0.75, 0.5, 1.125, -1.3125, -1, -1.25, 1.3125, 0, 0.5, -0.625, 1.0625, 1.25, 1.25, -0.8125, -1.5625,
    -1.625, 0, -0.625, -0.875, 1.0625, 0.0625, -1.3125, 0.4375, 0.5, -0.25, 0, 1.5625, -1.0625, 0.75, -0.3125, 0.1875,
    1.375, 1.5, -0.3125, 0.5, -1.0625, 1.6875, 0.0625, 1.5, 1, 0.75, 1.25, 1.125, -1.75, 1.625, 0.9375, -0.375, 1.625,
    -1.1875, 0.25, -1.875, 1.5, 1.625, -1.875, 0.5625, -0.9375, -0.5625, 0.3125, -1.1875, 1.5625, -1, 0.5625, 2,
    -1.1875, 0.125, -1.0625, -1.8125, 0.625, 0, 0, 0, -1.0625, 0, 0, 1.5, 1, 0, 0, 0, 0, 1.625, 0, 0, 1.625, -1.1875,
    0, 0, 0, 0, -1.875, 0, 0, -0.5625, 0.3125, 0, 0, 0, 0, 2, 0, 0, -1.0625, -1.8125, 0, 0.125, 1.5625, -1.5, -1.4375,
    -0.375, -0.9375, 0.3125, -1.375, -0.125, 1.25, 0.9375, 0.1875, -0.75, 0.9375, 0.625, 1.5, 0.125, 0, 0, 0, 1.5625,
    -1.4375, 0, 0, -0.125, -0.75, 0, 0.9375, 0, 0, 0, 0, -0.875, -1.625, -0.75, 1.125, 0.25, 1.4375, 0.6875, -1.5625,
    -1.5625, -0.8125, -1.1875, -0.125, -1.9375, 1.8125, 0.625, -1.8125, -0.0625, -0.4375, -0.4375, -0.3125, 1.125,
    1.9375, 1.3125, 1.125, 0.6875, -2, -1.5, -1.5625, 1.3125, 0.4375, 1.125, 0.4375, -1.25, 1.1875, 1.5625, 1.0625,
    -0.875, -1.625, -0.75, 0, 0.25, 1.4375, 0, 0, -1.5625, -0.8125, -1.1875, -0.125, 0, 1.8125, 0.625, 0, 0, -0.4375,
    -0.4375, -0.3125, 1.125, 0, 1.3125, 1.125, 0, 0, -1.5, -1.5625, 1.3125, 0.4375, 0, 0.4375, -1.25, 0, 0, 1.0625,
    0.625, 1.0625, 1.8125, 1.375, -1.625, -0.125, 0.0625, 0.375, -1.1875, 1.0625, -0.0625, 0.9375, 1.1875, -1.5625,
    1.5, -1, 1.0625, -1.1875, 0.9375, -1.75, -1.3125, 0.0625, 0.0625, 0.8125, -0.3125, 0.3125, 1.1875, -0.25, -0.4375,
    0.8125, -1, -0.625, -1.1875, -0.1875, -1.3125, 2, 0, 1.0625, 1.8125, 0, 0, -0.125, 0, 0, 0, 0, -0.0625, 0.9375, 0,
    0, 1.5, 0, 0, 0, 0, -1.75, -1.3125, 0, 0, 0.8125, 0, 0, 0, 0, -0.4375, 0.8125, 0, 0, -1.1875, 0, 0, 0, 0.625,
    -0.3125, 0.4375, -1.5, 0.3125, 0.5625, -1.125, 1.0625, -1.125, 0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625,
    0.5, 0.5, -1.4375, -1.9375, -0.6875, -0.875, 1.9375, 1.625, 0.125, -0.6875, -1, 0.75, 1.0625, -0.9375, -1.5625,
    -1.5625, -0.9375, 0.875, 1.9375, 0.6875, -1.75, 0.625, -0.3125, 0.4375, -1.5, 0.3125, 0.5625, 0, 1.0625, -1.125,
    0.4375, -1.625, -0.3125, 0.25, -0.1875, -1.5625, 0, 0.5, -1.4375, -1.9375, -0.6875, -0.875, 1.9375, 1.625, 0.125,
    0, -1, 0.75, 1.0625, -0.9375, -1.5625, -1.5625, -0.9375, 0.875, 0, 0.6875, -1.75, -1.25, 1.875, -0.25, 1.25,
    0.9375, 0.125, -2, -1.6875, 1.9375, 0.375, 0.8125, 0.375, 0.75, 1.375, 0.9375, 1.25, -1.25, -0.25, 0.9375, -2, 0,
    1.25, 0.125, -1.6875, 1.9375, 0, 0.375, 1.375, 0.8125, 0.9375, 0.375, 1.25, -0.875, -1.8125, -0.6875, 1.8125,
    1.125, -0.0625, 1.875, 0.0625, 0.0625, -0.9375, -1.375, -1.1875, -0.0625, 1.0625, 0.75, 0.4375, -1.0625, 1.125,
    -1.25, -1, 0.9375, -1.75, 0.625, -1.75, 0.375, 1.875, 0.3359375, 1.796875, 0.7890625, -1.87890625, 1.8046875,
    -1.25, 0.109375, -0.57421875, -0.70703125, 0.98828125, -4.33984375, -0.671875, 3.1875, 1.4140625, 2.2265625,
    -2.296875, -0.140625, 4.9296875, 2.96875, -0.15625, -1.27734375, 5.28125, 0.8203125, 0.796875, -0.66796875,
    1.0859375, 1.0625, -0.6875, -1.25, -0.4375, -0.0625, 1, -1.375, -1.671875, 0.6015625, 0.0859375, -1.375,
    -1.4609375, 0.9453125, 1.71875, -1.8125, -0.625, 0.3125, 1.875, -0.4375, 1.9375, 0.75, -1.4375, 1, -1.25, 1.4375,
    1.8125, 1.5, -1.125, 0.5, 1.5625, 0.125, 1.75, -0.4375, -5.05859375, 0.63671875, 0.78125, -3.38671875, 0.05859375,
    5.63671875, -4.30859375, -2.83203125, -0.2265625, -0.9765625, -0.078125, 0.48828125, 0.0390625, -3.171875,
    0.79296875, -1.09375, 0.2734375, 0.546875, -0.13671875, 0.0625, -0.3125, 0.375, 1.375, -1.1875, -1.5, -1.25, 0.25,
    -1.8125, 0.5, 0.8125, 1.125, 1.9375, -1.0625, 1, 1.125, -1.75, -0.5, 0.25, 0.828125, 2.42578125, -4.5, 1.23046875,
    2.1796875, -1.1953125, 1.125, -3.390625, 1.859375, -1.75, -0.96875, 0.53125, -0.5, 0.484375, -0.265625, 0.25,
    -1.5859375, 1.8046875, 4.234375, -1.625, 0.4375, -1.625, -2, -0.9375, 1.6875, 1, 0.375, -0.5625, -1.125, -1.875,
    -1.625, 1, 0.25, 0.4375, -0.6875, -0.1875, -0.125, 1.5625, 1.75, -1.0625, -0.125, -0.125, -1.75, -1.75, -0.4375,
    -1.12890625, -0.50390625, -2.7265625, -0.06640625, 1.26953125, 0.0625, -1.640625, 1.2109375, 2, -0.51953125,
    -0.51171875, -1.09375, -0.37890625, 0.21484375, -0.5625, 1.1484375, 0.2421875, -1.859375, -0.46484375, 0.3828125,
    1.4296875, -3.8515625, 4.9140625, 1.046875, -1.41796875, -1.359375, -1.625, 0.25, -1.8125, 0.5625, 0.25, 0.375,
    -1.3125, -0.5, 0.375, 1.875, -1.3125, -0.5, 1.125, -0.0625, 0.0625, -1.125, 0.0625, 1, 0.8125, -0.5, -0.25,
    -0.3125, -0.3125, -1.625, 1.5, 1.625, 0.5625, -1.6875, -1, 0.75, 1.125, 0.0625, -0.5625, -1.9375, -0.8125, 0.5625,
    0.6875, 1.5, -1.1875, 1.625, 0.0625, -0.75, -0.5625, 1.75, -1.9375, 2, 2, -0.4375, -1.0625, -1.625, -1.1875,
    1.3125, 0.5625, 1.3125, -1.92578125, -1.9921875, 0.671875, 0.05859375, -0.81640625, 3.6796875, 0.27734375,
    -0.96875, -0.484375, -4.421875, 0.609375, 0.7734375, -1.484375, 1.01953125, 1.99609375, 0.859375, -1.05859375,
    0.203125, 2.0078125, 0.28515625, -2.625, -1.0078125, 2.57421875, 4.88671875, 1.1796875, -3.3828125, 1.87890625,
    -1.828125, 2.8046875, -5.25, 1.453125, -5.25, 3.97265625, 0.62109375, -3.49609375, 5.2734375, -5.0390625,
    0.26171875, 2.96484375, -3.96875, -1.4921875, -1.18359375, -2.91015625, -2.54296875, 0.36328125, 2.8671875,
    3.01171875, 0.19140625, 4.578125, -2.32421875, -0.42578125, -2.16015625, 1.44921875, -3.390625, 1.6875, -0.5,
    0.75, 1.3125, -1.0625, 0.4375, 0, 0, 0, 0, 0, 0, 1.3125, 0.0625, -0.4375, -0.9375, -0.625, 1.6875, 0, 0, 0, 0, 0,
    0, 0.75, 0.125, -1.25, -0.25, 0.0625, 0.625, -0.1875, -0.9609375, 0.046875, -0.01171875, -0.1171875, -0.140625,
    -0.0234375, 0.234375, -2, 1.375, 1, -1.0625, -1.4375, 1.5625, -0.0625, -1.3125, -1.6875, 1.9375, -1.6875, 1.375,
    1.9375, 1.1875, -1.625, -1.375, 1.5, 1.5625, -1.875, -0.4375, -0.8125, -1.6875, -1.25, 1, -0.375, 1.6875, -1.4375,
    -1.6875, -1.75, 1.875, -0.9375, 0.3125, 0.9375, -0.125, -1.3125, 1, 1.1875, 1.25, -0.0625, 0.5, 1.1875, -0.5,
    -1.625, 0.375, -1.8125, -0.6875, -0.3125, 0.8125, 1.3125, 1.125, -0.875, 1.0625, -0.3515625, 2.00390625,
    4.48046875, 0.6875, -1.13671875, -1.04296875, -3.3828125, 0.5703125, -0.3984375, -0.10546875, -2.05078125,
    0.53515625, 1.78515625, 1.40234375, 3.125, -1.00390625, -0.14453125, 5.40234375, 2.6875, 0.90234375, 0.57421875,
    -1.015625, 2.03125, -1.703125, -3.01953125, -1.421875, 1.8359375, 0.46484375, -0.7421875, -0.07421875, 0.1484375,
    -3.1875, 1.78125, -2.578125, -2.109375, 1.6640625, -2.44921875, -0.484375, 0.1015625, -0.1328125, -1.609375,
    5.6015625, 4.86328125, -1.43359375, 3.33984375, 2.70703125, 1.16796875, -1.16796875, -0.67578125, -1.4453125,
    0.6875, 0.08984375, -1.625, 0.875, 0.0625, 1.9375, -2, 1.5, -0.25, -0.0625, -0.3125, -0.125, 0.5, 0.625, -0.4375,
    0.875, -0.125, 0.125, -0.5, -0.75, -1.3125, 0.9375, 0.3125, 0.0625, 1.9375, 1.0625, 0.25, -1.1875, 0.171875,
    -0.25, 0.375, -0.0625, -0.2109375, -0.4140625, -0.03125, 0, -0.203125, 0, -0.109375, 0, -1.765625, 0, -0.1796875,
    0, 0.765625, 0, 0, 0, -4.4609375, -1.85546875, -0.33984375, -0.85546875, 0, 0, -0.8125, -0.4375, 1.375, -0.3125,
    -0.9375, 1.1875, 1.8125, 1.375, 0.4375, -1.25, 2.7421875, 2.296875, 2.296875, 2.38671875, -3.51171875,
    -3.28515625, 7.13671875, -0.69140625, 1.55078125, -0.4765625, 0.9375, -0.625, 1.9375, 1.375, 0.125, 0.75, 1.25,
    1.5625, 0.6875, 0.4375, -1.0625, 1.875, 0.75, 1.3125, 1.5625, 1.375, 1, 0.875, 1.75, 0.6875, -0.125, -0.0625,
    -1.0625, 1.1875, -1.0625, 0.1875, 1.5625, -0.125, 0.9375, -1.25, 3.27734375, 5.39453125, 2.78515625, 2.296875,
    4.1796875, 2.5625, 2.2421875, 2.609375, -1.34765625, -4.12890625, 0, 0.8828125, 2.5546875, 1.2109375, 1.15234375,
    0.859375, -0.88671875, 0.94140625, -0.7578125, 2.20703125, 0.29296875, 0.78125, -1.35546875, -1.54296875,
    -0.2734375, -0.57421875, 0.5, 1.0625, -0.125, -1.0625, 0.5, -1.5, 1.125, -1.6875, -0.25, 1.375, 0.6875, 1.5625,
    0.1875, -1.8125, 1.5, -1.5625, -0.75, 0.0625, -1.4375, -1.75, 0.625, 0.375, 0.375, 0.3125, 1.625, -0.625, 1.875,
    -0.9375, 1.375, -1.125, 1.9375, 0.8125, 0.8125, 0.5, 1.5625, 0.625, -0.9375, 0.3125, 1, 1, 1.5625, 1.8125,
    -1.4375, -1.625, -2.0859375, -1.390625, 1.546875, -4.1796875, -0.7265625, 3.3125, 1.5234375, -0.703125, -0.6875,
    -0.15625, 1.05078125, 2.32421875, 3.69921875, 3.5234375, -2.75, 5.41015625, 1.15625, 1.51171875, -0.01171875,
    -1.2890625, 2.0234375, 0.97265625, -0.09375, 2.32421875, 2.15234375, -3.8671875, -2.265625, -2.37890625,
    -4.16015625, -1.38671875, 0.046875, -4.4765625, 4.76953125, -3.3515625, 1.625, -3.890625, 6.76171875, 2.984375,
    -2.25, 4.5, 0.3125, -0.125, -1.625, -0.5, 0.5, -1.75, 0.625, -0.125, -2, -1, 1.9375, -1.375, -0.4375, 1.625,
    5.3984375, 0.4140625, -0.6328125, 3.28125, -0.4296875, 0.171875, 2.234375, -0.13671875, 0.0546875, 0.7109375,
    -1.375, -0.4375, 0.0625, 1.1875, -0.875, 0.5625, -0.3125, 0.0625, -0.3125, -1.125, -1.4375, 0.625, 0.5625, 0.625,
    1.75, 0.0625, 0.4375, -1.5625, 1.125, 0.9375, 1.5625, 1.3125, -1.8125, 2, 1.3125, 0.5625, 0.5, -1.4375, 1.375,
    1.75, 1.625, -0.25, 0.9140625, 1.18359375, -3.78515625, 1.69140625, 1.53515625, 0.23046875, -2.46484375,
    2.8359375, -2.66015625, -4.890625, 1.875, 4.6953125, -1.08984375, -0.5390625, 1.71484375, 2.11328125, 1.9609375,
    -0.38671875, -0.375, 0.4921875, 0.4765625, 1.1171875, -0.32421875, -0.06640625, -0.0546875, 0.43359375, 2.6875,
    2.3125, 2.125, -1.6875, -0.625, 0.4375, 0.5, -0.125, 0.8125, 0.8125, -0.4375, 1.4375, 0, 0, 0, 0, 0, 0, 0, 0,
    0.8125, -1.875, -0.875, 0.75, 1.875, 1.375, 0.5, -1, 0.875, 0.625, -0.0625, 0.6875, 0.7980640537079243,
    0.05430894042148585, 0.1476270058705899, 0.1681106585944279, 0.5178172830852636, 0.31407205832030843,
    0.02083209218983724, -0.08004576896758261, 0.059213676777745326, 0.056547361801944765, -0.1818212455369046,
    0.12527388373495987, 1.125, -0.9375, -1, -0.25, 1.4375, -0.0625, 0.75, -1.6875, 0.375, -1.6875, 0.375, -1.125,
    0.7981867777396212, 0.08509904500702024, 0.28140560742914383, 0.20181322226037882, 0.9149009549929797,
    0.7185943925708561, 0.3926438236043256, -0.16058046993844635, 0.30332473730486764, -0.39264382360432554,
    0.16058046993844635, -0.30332473730486764, -0.4375, -1.25, -1.5625, 2, -1.5625, -1.125, -0.6875, -1.6875, -0.1875,
    -1.8125, 0.625, 1.625, -0.5, -0.75, -0.75, 1.625, -0.25, 0.8125, -1.9375, 0.0625, -0.5, 1.3125, 0.375, 1.25,
    0.6063160177058281, 0.03581214448353298, 0.19684199114708595, 0.923607379393946, 0.19684199114708595,
    0.04058047612252108, 0.15712963110396863, 0.03408761169004195, 0.25906296505837756, 0.03008221173296846,
    0.5838074038376538, 0.9358301765769896, 0, -0.08082709760596629, -0.04921049778677149, 0.10900920428260924,
    0.04921049778677149, -0.028182106676642917, -0.2706491325670095, -0.03916329454495235, -0.07382196948834963,
    0.003041278535281957, 0.3444711020553591, 0.03612201600967037, -0.375, -1.75, 1, 0, 0.6875, 0.0625, -1.75, 0.5,
    0.8125, 0.9375, 1.875, -1.0625, 0.5, -0.5625, -1.5625, 0.75, 0.4503434473741539, 0.03935057188504211,
    0.5103059807408041, 0.20211388517040985, 0.3130401091265908, 0.48484600570299924, 0.3680490496350202,
    -0.06534751660286474, -0.08343253736305319, -0.41425232278160473, -0.284616512271967, 0.47959983938446954, 800,
    801, -900, 0, 0, 0, -0.8125, 0.6875, -0.9375, 1.75, 0.5, -1.8125, 0.26894142136999516, 0.7310585786300049, 0,
    0.3333333333333333, 0.3333333333333333, 0.3333333333333333, -0.29491789986222283, 0.29491789986222283, 0,
    0.5347222222222222, 0.11805555555555558, -0.6527777777777777, 0.375, -0.3125, -2, 0.625, 1.3125, -1.9375, -1.3125,
    0.9375, 1.6875, 1.6875, -1.25, 0.6875, -0.4674040452417671, -1.1549040452417672, -2.842404045241767,
    -1.1203245912263522, -0.43282459122635214, -3.682824591226352, -2.134947745425712, 0.5239473023689465,
    1.6110004430567655, 1.3205543577178034, -1.9797585481065445, 0.6592041903887411, 1.0625, 1.5, -0.875, -1.125,
    1.4375, 0.875, -0.3125, 1.375, 1.4375, -0.125, -1.625, -0.8125, -0.10633723997560358, -0.6623853823577756,
    -1.9102241504380872, -2.2938372399756037, -0.7248853823577756, -0.16022415043808716, 0.08086560255560031,
    1.503904978930754, 1.344970501230194, -0.08086560255560027, -1.503904978930754, -1.344970501230194, -1.125, 1,
    1.125, 1.8125, 1.4375, 0.625, 0.0625, 1.0625, 1.4375, -1.875, -1.6875, 0.375, 0.875, -1.125, -0.25, 1.8125,
    -1.0625, -0.8125, 1.5625, -1.25, -0.3125, -1.4375, 0.75, -0.375, -3.155123475824995, -1.3713898552484016,
    -0.905123475824995, -0.5588898552484017, -0.592623475824995, -1.7463898552484016, -1.6348815924385245,
    -0.4420089315706043, -0.2598815924385245, -3.379508931570604, -3.3848815924385245, -1.1295089315706042,
    0.8936519972213484, -1.0932807458779188, -0.07303477754335366, 1.883980442588566, -0.8206172196779946,
    -0.7906996967106472, 1.1725490869984476, 0.7184031775720933, -1.8547857790940665, -1.333178453433683,
    0.6822366920956188, 0.61477527586159, 0.375, -1.9375, 0, 0, 1.375, 0.625, 0.875, 1.0625, -0.75, 0.0625, -1.25,
    -1.375, -1.0625, 0.625, 1.625, -1.6875, -0.5457855194260761, -1.0457855194260761, -2.670785519426076,
    -1.1373883912547904, -0.6998883912547905, -1.6998883912547904, 0.8864876641792778, 0.4446313624842797,
    -0.07915472757743942, 1.3456395892922952, -0.8073329366018384, -1.7902709517765751, 800, 801, -900, 0, 0, 0,
    0.625, 0.25, -0.25, 0.1875, 1.0625, -0.8125, -1.3132616875182228, -0.31326168751822286, -1701.3132616875182,
    -1.0986122886681098, -1.0986122886681098, -1.0986122886681098, 0.45691161164375305, -0.20691161164375305, -0.25,
    0.04166666666666667, 0.9166666666666666, -0.9583333333333334, -INFINITY, -INFINITY, -INFINITY, 1, 2, 3, -0.25,
    0.6875, -1.9375, 0.125, -0.3125, 1.1875, 0, 0, 0, 1, 0.26894142136999516, 0.7310585786300049, 0, 0, 0, 0,
    -0.29491789986222283, 0.29491789986222283, 1.625, -1.75, 0.8125, -0.0625, 1, 1, 0, 0, 0.6875, -0.6875, -0.5625,
    1.625, -INFINITY, -INFINITY, -0.34844458100505576, -1.2234445810050558, 0, 0, -1.3123965920768244,
    1.3123965920768244, -0.0625, -1.4375, -0.9375, 0.625, 1.375, -0.5625, 0.5625, 0.3125, -0.75, -0.9375, 1.5, 0.75,
    1.9375, 0.9375, -1.1875, -1.4375, 1.375, -0.25, 1.125, -2, 0.25, -0.625, -1.5625, -0.9375, 1.5682911077737471,
    2.100508010512697, -2.1031380527211074, -0.4184834574555419, 0.9028030520610115, 2.273276797544186,
    -0.8821795891327575, -1.556235715337261, -0.5079401755633312, -1.023854245072224, 1.5750205817977383,
    -0.04322616116218336, 1.4154775787763374, 1.0540869792299121, -2.3265975760708106, -0.14296698193543855,
    1.0217819517277933, 1.2006533344995096, -1.004770634194208, -2.568957802613646, 1.625, -0.875, -0.4375, -2.9375,
    1.0625, -1.375, 1.25, 1.8125, -0.75, 0.8125, 0.8125, 0.3125, -0.625, 0.0625, -1.4375, -0.875, -1.625, 0.9375,
    0.75, 0.5625, -1.75, -1.1875, -1.875, 1, -1.4375, -0.875, 1.1875, -1.8125, 0.6064009939594216,
    -1.3644022364086985, 0.758001242449277, 1.078663643446847, -1.2489789555700335, 0.17031531212318637,
    0.9574105034864554, 0.2161894685291996, -1.1735999720156554, 1.169321989811876, -0.9894262990715875,
    -0.17989569074028863, -1.053527955428707, 0.11748976243479509, 0.9360381929939119, 0.38408977661166477,
    0.10903823258118117, -0.49312800919284605, -1.6880029397292982, 2.613610130654555, -0.925607190925257,
    0.5104321904742657, 1.5400293719441698, -2.0504615624184357, 1.8125, -0.125, -1.4375, 0.0625, -0.5625, -1.5,
    -1.9375, -1.5, 1.875, 1.125, -0.3125, 1.9375, -1, -2, -0.625, 0.5, 1, -0.4375, -1.125, 1.8125, 3.0520137859428464,
    -0.7080671983387403, 0.006782252857650769, -1.8922485472845647, 1.6289997829105967, 1.2634681243062678,
    0.31123166584064244, -1.9296363282119833, -0.05718018527615687, 1.5805110215289697, -1.3311577625488487,
    -1.3908823206065075, 0.639994255805839, -2.2376774795257397, 0.7483436920191674, 2.048048778603277,
    -0.7589408016171999, 0.7674374153719898, 1.1339985027416144, -2.2934658676265816, 1, 1, 1, 1, 2, 4, -0.6875, 1,
    0.5, -1.1875, 1.8125, 1.375, -1, 1.5, -1.75, 0.75, -0.5625, 0.625, -1.1875, 1.8125, 1.375, -0.45253394712792033,
    1.5452396171374254, 2.0431509571564357, 79.05694150420948, 335.9920013928903, -415.0489428970998,
    0.11095872838267795, -0.16644168982791974, 0.055482961445241785, -0.8017811485877234, 0.15033396536019822,
    0.8351886964455448, -0.25, 0.9375, -1.125, -0.875, -1.3125, 1.625, 0.8125, 1.5625, 1.125, 0.3125, -0.25, 1.3125,
    -1.3125, -1.625, -1.75, -0.875, 0.0625, -1.375, -0.8125, 0.5625, -1.0625, -0.8125, -0.1875, -1.875, -1, 0.9375,
    -1.75, 1.625, 2, -1.625, 1, 1.9375, 2, 0.125, -1.25, 1.875, -0.875, 0.3125, -1.767295356998062,
    -0.7374933905839983, 0.917789761653145, -1.245127884477389, -0.5721265428413481, 0.29215593073854734,
    -1.2786968573758648, -0.500660597401034, 0.3897014039799882, -0.4805803481953181, 0.3385358164063205,
    0.6531614559355458, -0.4224750686370481, 0.42237355920653885, -0.23775952135943845, -0.12499227483539094,
    0.0007539572548336614, 1.040034843214009, 0.7517645222964583, -0.020274618217018807, 0.011672763603034328,
    -0.8947679501615995, -0.7641912431543267, 1.259156567343252, -0.22837570266991242, -0.1794139390532751,
    1.8908537478943526, -0.27056609303313767, -0.3862680324726975, -1.195175313249914, 0.7593721191388368,
    1.4758253363760734, 0.2951649980123091, -0.010430323435786735, 0.08985663514989908, -1.5, 0.6875, 0.625, 0.1875,
    -1.5625, 0.8125, 1.0625, 1.3125, 0.9375, 1.5, -1.0625, 0.0625, 0.1875, 0.75, 1.25, -1.5, -1.625, 1.875, -1.1875,
    1.875, -0.875, 1.625, 0.875, -0.3125, -1.8125, -0.6875, 0.25, -1.6875, 1.25, -1.1875, 1.4375, -0.625, 0.625, 0.5,
    1.5625, 0.6875, -2, -0.875, -1.1875, -0.5625, 1.25, -0.1875, -2, -2, 0.5, -1.3125, -1.5625, 0.0625, 0.25, -1.5625,
    -2, -1.6875, -0.375, -1.8125, 0.125, -1.5, 1.625, 1, -0.5, -1.5, 1.5625, -1.625, -0.125, 0.0625, 0.75, -1.8125,
    0.4375, -0.625, 1.0625, -1.6875, -1.6875, 1.4375, 0.875, -1.875, 0.625, 1.75, 0.875, 0.4375, -1.1875, 1.4375,
    1.8125, 1.5625, -0.625, 1.5625, 1.4375, -1.125, -0.875, 0.375, 0.0625, 0.1875, 1.625, 0.3125, -1.9375, -0.625,
    0.4375, 1.0625, 0.25, -1.5625, -1.2922575531312415, -1.6481809751739578, 0.115543018512901, -1.5750290676268586,
    0.125, -1.5, 1.1120783115161217, 0.14513051919353614, 0.7146871415171174, -0.25950230960794274, 1.5625, -1.625,
    0.5576143309565267, -0.6201143309565267, 0.9264530901241491, -1.0248778052367, 0.4375, -0.625, 0.6370849627204734,
    -0.9642944366248049, 0.5663147848145456, -1.0635951087114441, 0, 0, -0.5109747472927999, 0.247745332020752,
    -0.17465575469810188, 0.07595660693382719, 0, 0, -0.8564744446504208, 1.1858876925928907, -0.4246137487255914,
    0.28152457472520415, 0, 0, 0.2919218870270934, 0.11227764885657442, 0.015444168537595494, 0.008207830910468936, 0,
    0, -0.2101327289973843, -0.0577865004742808, -0.4688211995738039, 0.1962880067312277, 0.029237383064601767,
    0.11176604346704218, -0.043079885293127534, -0.10456794230820897, 0.01384250222852546, -0.007198101158833239,
    -0.6858317576140359, -1.598972295195229, 0.4666897637766221, 1.611863000715077, 0.21914199383741384,
    -0.012890705519847874, -0.3985682855856941, 0.48061466469547615, 0.3920169613305565, -0.47305544440108677,
    0.006551324255137488, -0.007559220294389411, -0.030334974570722147, 0.1211536022131704, -0.1161813154565131,
    -0.068826355774872, 0.14651629002723515, -0.05232724643829827, 1.8794549943091199, -0.9206037173459557,
    0.47498166212396165, 1.2228220455624963, 0.02056334356691848, 0.01028167178345924, -0.7279837310991826,
    2.372453687213712, 0.8825952038172994, 1.803517630990996, -0.15461147271811695, 0.3865286817952924,
    1.1213303085558997, -0.8599724859651421, -0.4985756032504342, 0.2907366018815389, 0.002245294694534434,
    0.006735884083603302, 0.38080161508655663, 0.06822780859226146, -0.3177883014449041, 0.5312330959660376,
    0.0619866863583475, 0.15053909544170108, -1.1875, -1.1875, 1.625, -0.375, -0.625, 1.9375, 1.5, -1.625, 1.25,
    -1.875, 1.5625, 1.9375, -0.8125, 0.0625, 0.3125, -1.875, 0.3125, -0.875, -0.8125, -0.1404667532647209, 0, 0,
    -0.07246271578089836, 0.12148161175032962, 0.055412665008922286, -0.012787538078982065, -0.05541266500892227,
    0.012787538078982063, 0, 0, 0, 0, 0.10953324673527909, -0.6720332467352791, 0, 0, -1.0625, 0.6875, 1.5625, -0.625,
    0.3125, -1.9375, -0.5, -1.875, -1.875, 0.4375, 1.0625, -1.8125, 0.5625, 1.9375, -1.8125, 0.4375, -0.4375, 0.8125,
    -0.9375, -1.5625, 1.75, 1.9375, 1.1875, 1.5625, -0.0625, -0.625, 0.3125, -0.9375, -1.9375, 2, 0.0625, 1.875, 1, 0,
    1, 0, 1, 1, 0.9375, 0.625, 0.375, -1.5625, -1, -1.5625, -0.1875, 1, 1.298056600265433, 1.2985455383063018,
    1.0638974662097471, 1.3461955658670572, 0.07513188144203352, 1.7328913337771228, -0.006905873186920927,
    1.8793378670741823, -1.064856292141355, -0.6552961797792953, -0.0929096887838846, 0.6968226658791348,
    -0.12302089571830063, 0.2811906187846873, 0.005921779368498971, 0.028128452000370677, -0.4641681273436676,
    0.3003440823988437, -0.29034277744963943, 0.11613711097985577, 0.7545109047933071, -0.4164811933786995,
    0.04393603418510739, -0.2724034119476658, -0.005921779368499154, -0.02220667263187183, -0.03801425481660834,
    0.29461008457953736, 0.7037361725510861, 0.46915744836739076, 0.33791923986292416, -1.407996832762184,
    0.27084458758598995, 0.0013393843947930705, -0.0505275257681341, -0.07894925901270954, -0.006506800611273837,
    0.034702936593460465, -1.1304656736205922, -0.518253677580751, -1.8125, 1.6875, -1.875, -1.5625, -0.125, -0.25,
    -0.0625, -1.6875, -0.125, -0.1875, 1.1875, -0.0625, 0.3125, 0.75, -0.875, -1.5625, 0, 0, 0, 0, 1, 1, -1.625,
    1.0625, 0.125, 0.3125, 0, 0, 0.10873977020949985, 0.35320376303955225, 0, 0, 0.005472204660093554,
    -0.13133291184224524, 0, 0, -0.16416613980280656, -0.1368051165023388, 0.1641661398028066, 0.13680511650233884, 0,
    0, 0.10355155475889471, 0.2588788868972368, 0.02144844524110528, 0.053621113102763206, -0.9375, -1.9375, 0.0625,
    1.375, -0.8125, 0.75, -1.3125, 0.125, -0.3125, 0.6875, -1.8125, 2, -1.625, -0.8125, 1.625, 0.0625, 1.25, 0.8125,
    -1.125, -1.25, 0.125, 1.25, 2, 0.625, -0.9375, 1.8125, -1.5991352207595977, 0.30694949135033833,
    0.8664623390753744, 0.04433586517464872, 0.15695602817914472, 0.1304585764885979, -0.1628356631779483,
    -0.023949467641370875, -0.10271210303112979, 0.03289234798986237, 0.20867955688213474, 0.5115551674718404,
    -0.10596745385100469, -0.5444475154617022, 0.7162265528450316, 0.36064963955805535, 1.0077269566146345,
    0.6616002730522514, -0.6614535094596665, 1.4152500873896932, -1.4375, 1.9375, -0.0625, -1.8125, -0.9375, -1.9375,
    1.5, -0.9375, -0.5, 1.3125, -1.9375, -1.9375, 0.5, 0.3125, 0.375, 1.5625, 0.375, 0.3125, 1.875, -0.875, 1.125,
    0.625, -0.8125, 1.4375, 0.3750991886957241, 1.0736196861709995, 0.44211242249220706, 0.517702637840719,
    0.37565654423692985, 0.9402275281528671, 0.08162321684926374, -0.07726079209719262, -0.14650329810822424,
    0.001641513504982095, -0.07789043847801161, -0.012111306024115032, -0.04692782879632365, 0.3748892461364937,
    -0.32796141734017, 0.028773137928331992, -0.3446714886396527, 0.31589835071132083, 0.6012320953256806,
    0.34241805031565997, 0.9183390100137827, 0.2917041959764571, 0.6679288946605368, 0.5533777537078829, 0.3125, 1.5,
    -0.125, -0.8125, -0.375, 0.5625, -0.9375, 0.0625, -1.8125, 1, -2, -1.375, -1, 1.875, 0.0625, -1.6875, 1.4375,
    0.875, -1.9375, 1.9375, -1.5, -1.25, 0.375, -1.625, 2, -1.0625, 1.25, -0.4375, 1.5, 0.1875, -1.0625, 2, 0.4375,
    1.625, 1.9375, 2, 1.125, -0.6875, 0.1875, -0.875, 0.0625, 0.75, 0.681345059018181, -0.4949573600007441,
    0.2126631813574949, -0.19995647706986314, 1.7047776406607906, 1.8911542089441566, 1.5269811807084115,
    1.4711455571465042, 1.4800217492486127, -0.3072469144132867, 1.3021775162354357, 1.345970487045646,
    0.5363081067892126, 0.3417745125226247, -0.09409597927560859, -0.44482968033784853, -0.02970181186977764,
    -0.013920360971983004, 0.08537150383138307, 0.04113958374941939, -0.009937363732622361, -0.0011053427333197472,
    -0.2615993696646318, -0.08045484473827627, 0.058903962412578004, 0.3923668479974858, -0.03155121839712545,
    -0.6976641995502162, -0.027352744015452554, 0.30529735155273036, 0.0854291254261487, -0.15286001859329906,
    -0.06476078102977527, 0.18930164453777665, -0.020668344396373228, -0.036441625944477044, 1.2540570242283506,
    1.7134590914190406, 1.4074838843526083, -0.23345361043481383, 0.21212507758739388, 0.14632853284742015, 0.875,
    -0.75, 0.5, -1.625, -0.375, 1.1875, 1.75, -2, -1.5625, 0.5625, 0.875, -0.75, -1.4375, -0.5, 0.8125, 0.125, 1.125,
    -0.875, 1.125, -0.0625, -1.8125, -0.0625, -1.4375, -1.0625, -0.625, -1.375, 0.0625, 0.125, 0.6875, 1.25, -1.1875,
    -1.375, -1.8125, 1.1875, -1.9375, 1.625, 2, -0.3125, -0.6875, -1.5, 0.6875, -1.8125, -0.5625, -0.875, -0.3125, -2,
    -0.875, 1.625, -1.8125, -1.033023086117049, -1.8125, -0.9443849077695103, -1.8125, -0.5076762547591352, -1.9375,
    -0.9265287956914254, -1.9375, -0.9601232373973829, -1.9375, 1.409364047403455, 0, 0, -0.06197692482453127,
    -0.135222381435341, 0, 0, -0.3180927515103796, -0.6940205487499191, 0, 0, -0.4593737547105761,
    -1.0022700102776205, 0, 0, 0.5939689136795122, 0.831556479151317, 0, 0, 1.3298102003664478, 1.861734280513027, 0,
    0, -0.3086235138798895, -0.4320729194318454, 1.4394222733486313, -1.5729866500269885, -1.4394222733486313,
    1.5729866500269885, 1.2918840101222395, 0.17015757876502338, -1.2918840101222393, -0.17015757876502322,
    -0.3214159292722587, -1.3035840707277413, -3.7296282801558958, 0.7296282801558955, -0.6875, 1, 0.9375, 0.4375,
    1.9375, -1.5, -0.375, 1.25, -0.5625, -1.3125, -0.9375, -1.625, 0.75, 0.6875, 0.375, -0.25, -0.125, -0.875, 2,
    -1.125, 0.25, 1.6875, -1.8125, -0.625, -1.9375, -0.375, 0.4375, -0.625, -0.3125, 0.3125, -1.875, -0.3125, 1.8125,
    -0.375, 0.25, 1.5, -1.75, -0.625, 1.3125, 1.3125, 1.8125, -1.6875, -0.4375, -0.1875, 0.75, 1.8125, 0.625, 0.875,
    -1.875, 0.0625, -1.4375, -0.5, 1.125, -1.4375, 1.0625, -1, 1.0625, 1.0625, 0.3125, -1.4375, -0.875, -0.125,
    -0.125, -1.375, -1.5625, 0.8125, -1.7049188976144678, -0.48096356420868225, 0.09501344516885746,
    -0.6130052340196211, 0.0493874568737212, -0.6109788462404839, -0.4935431141686806, -0.5826707433432697,
    1.5904334036047687, -0.36860847924297135, -0.45908273026351326, 0.23405048909253512, -0.4116407272316658,
    -0.0024237556368061353, 1.2482203118225592, -0.349235733438842, -1.6391024893673818, -0.49017620462895894,
    -1.864990654614895, -0.4459996940173252, -1.7952699900489015, -0.46500585450615517, -1.8921594239818857,
    -0.4334223876267736, 0.7777054837790816, -0.3033856124429391, 0.70501616531064, -0.2941116859688202,
    0.3157896444432642, -0.23215800465605263, -0.33791901886217784, -0.04298005298567874, 0.010645939228318031,
    -1.192242369093519, 0.9633053086095623, 2.6030970480551567, -0.13330277917393968, -0.2924943515953276,
    0.035301728782188124, -1.3755544509864706, -0.8137805083504727, 0.198146069807208, 0.3482669174366885,
    0.026617225697913333, 0.5592310996836454, -1.015560474268017, 0.17314438879284136, -1.327292234008564,
    -0.27514528345568234, -0.02978786022902935, 0.3049331436847116, -0.3950299825630833, 1.7706142206877693,
    -1.375584238124686, 0.8528983670731196, -0.4329971305359279, 1.9650157664010226, -0.5025508049301401,
    0.6195858665258571, -0.4394520645339318, 0.14078073866762764, 2.0273536171203133, -0.6924355794326226,
    -0.050940607520566505, -2.635845159235005, -1.538913009599747, 1.0625, -1.0625, 1, -2, 1.5625, -2, -0.875,
    -1.5625, 0.3125, 1.0625, 0.9375, 0.1875, -1.875, 2, 0.875, -2, 1.625, -1.5625, -1.5625, -0.8125, 0.625, 1.5,
    -0.875, -1.5625, -1.375, 0.3125, -2, 0.0625, -1, -0.0625, 1.25, -1.1875, 1.625, 0.4375, -1.125, 0.9375, 0.625,
    1.1875, 1.5625, 1.4375, 1.75, -0.5625, 0.0625, -0.1875, -1.875, 0.9375, -1.6875, 1.75, 0.1875, -1.8125,
    -0.9469806566759639, -1.4040862594504102, -0.8994252467335019, -1.4870369311264489, -0.8848732691065901,
    -1.53661470481152, -1.265345401450537, -0.1375928884754693, 1.3261068719006244, 0.24387706175287782,
    0.22221661918174296, 0.06153711533443046, 1.4667114335900404, -0.22599177179383284, -0.8796490029805079,
    -0.11050611261542945, -0.3003684108670234, 0.2906684361563224, -0.14960239556673158, 0.04952659175813985,
    -0.04469531155744534, 0.015293160274970382, 0.7641332849638032, -0.22170437753085867, -0.04217671635017664,
    -0.01863915436707319, 1.1421253446484085, -2.115639834221756, 0.8369213573250701, 0.8580223686532967,
    -0.23947968743402218, 0.049319617315362475, 0.22818097272409463, 0.20195163941878785, 0.9858687260478618,
    -0.7469553298914444, -1.2140496987719567, 0.5450036904726565, 1.5324470991740742, 3.274569016619136,
    1.2915848599419204, -0.3200008413617186, -0.011531959115994667, 0.045431824742582394, -0.8027036671275153,
    -1.2413452281333481, -0.8051497602033478, 0.6798049471034165, -1.704646572669137, 1.249040281029932, -0.8125,
    1.3125, 1.75, -1.0625, -0.5625, 1, -0.3125, 1.4375, -1.375, -1.9375, -1.125, -0.625, -0.9375, -0.5625, -2, 1.0625,
    1, 0.0625, -1.875, -0.3125, -0.75, 0.625, 1.9375, -1.5, 1, -1.5625, 1.8125, 0.9375, 0.5625, 1.75, 1.9375, 0.75,
    1.25, 0.625, 1.3125, -1.25, 0.8125, 0.625, -1.8125, -0.25, 1.1875, -0.5625, -1.6875, -1.625, 1.5, -1.0625, -1.75,
    -1.0625, -1.9375, 0.875, 1.3125, -0.6875, -1.875, 1.6875, -1.6875, 0.75, -0.6875, 1.3125, -1.0625, -1.625, -1,
    0.125, 1.8125, 0.6875, 1.25, 0.625, 1.2522754699675813, 0.5567359009725672, 1.0356728652569327,
    -0.21189824471349733, 0.6553422602767567, 0.5726140867589189, 1.1875, -0.5625, 0.7622971437547938,
    -0.7196401860036631, 0.3006844474277808, -1.2741439210421563, 1.294538242664768, -1.0625, 0, 0,
    -0.09778550775717346, -0.012754631446587842, 0.8063004396452297, 0.6719170330376913, 0.4036130425159826,
    -0.31913589408240484, 0, 0, 0.34617876433342576, 1.0651654287182333, 0.6466178543376994, -0.42030160531950456,
    -0.33918355410675366, 0.24667894844127589, -0.05952161341740995, 0.0361381224319989, 0.46267183324002475,
    -0.7528496243388697, -0.35621847069284934, 0.5008254559099498, -0.04693174912976542, 0.21588604599692093,
    0.479324442923205, 0.2662913571795583, -0.9642878336764795, -0.557269391631523, -0.00839450612927689,
    0.5530744171708202, 0.493357896882551, -0.2620963827188552, -0.6727848693192029, 0.212530169643392,
    -0.7891133753942943, 0.7281782505987554, -2.6245717797501316, 1.6393893684083543, -0.10102997553637065,
    0.04490221134949807, -1.5928598139963368, -0.07216795081792693, -0.5333960456341633, -0.1933000667282605,
    1.0741714180396975, 0.7220049534945037, 0.11458444159080239, 0.04346306405168367, -1.5625, -1.6875, 1.5625, -1.75,
    0.4375, -0.5, 0.0625, 1.625, -1.9375, -2, 0.0625, -0.6875, -1.25, -1.75, 0.4375, -0.0625, 0.875, 0.25, 0.5, 1.75,
    -1.875, -1.3125, -0.1875, 1.3125, 2, -1.5, -1.9375, -0.375, 1.6875, 1.5, -1.3473316439537664, -1.2257452856971682,
    -0.08254011021499943, 1.6963015202671694, 1.4272624663699118, 0.045487081140846604, 0.03682287520925664,
    -0.19781944359551823, -0.28428748608548327, -0.24459850501876407, -0.22931990931335458, -0.01049138519147888,
    0.48317308324815306, -0.03802684938484799, 0.15210739753939256, 0.4862739784898452, -0.6637596874679874,
    0.16677345140069863, -0.06878601723934726, -0.6129422704513758, 0.32381325811181144, 0.1390200850659079,
    0.16052523308210576, -0.17912524450507664, 0.24820721351341646, -0.8462668435325966, -2.1953559726935863,
    -0.486374685243449, 1.3601618747652473, 1.5428356267043848, -0.75, -1.8125, -0.0625, 0.75, -1.875, 1.6875,
    -1.0625, 0.4375, 0.0625, -1.875, 1.4375, -0.875, -1.9375, -0.1875, 0.5, -0.75, 0.5625, 1.1875, 1.625, -1.25,
    0.6875, -1.625, 0.875, -1.5625, 1, -0.25, -0.625, 1.75, 0.125, 0.5, -1.8125, 1, 1.875, 1.6875, -1.1875, -1.6875,
    -1.6875, -1, -0.5625, 1.875, -1.5625, -0.25, 1.0625, 0.0625, 1.0625, -0.3125, 0.4375, -1.0625, 0.6533525000854469,
    0.10256945668804471, -0.6432008733689898, 0.9773386601789047, 1.734897565944192, 1.5681928734735109,
    -1.1655910607211084, -0.1133062797116231, -0.09191795910844847, 0.29871809585220865, -0.5866830053241805,
    0.13654240464516432, -0.02715473326722333, 0.20569010820298483, 0.16185674744268752, 0.07067128344954321,
    0.16404715688057506, 0.39644729579472304, -0.0775765086793875, -0.17609328069569077, -0.1026070831533436,
    -0.026716795673160626, 0.016136434952155977, -0.19363721942587173, -0.14184628919860753, 0.12766166027874679,
    -0.2488269551590402, 0.08517627493669606, -0.11325643580215193, -0.0053374786790547635, 0.5039296801597997,
    -0.2075004565363881, -1.065787404773065, -0.1705259847636904, 0.13800687203202144, -0.006318238916063396,
    0.11516371925066188, -0.029045000643209837, 0.3126168134903817, 0.018389224322963627, 1.0188080078516595,
    -0.2996494140740175, 0.11311298315735788, -0.24570048843394648, 0.20934784881320206, -0.44416013706028334,
    0.1587311601777805, -0.38548996043175265, -0.3125, 0.9375, -0.6875, 1.125, 2, 0.0625, 0.625, 0.625, 0.0625,
    -1.8125, 1.625, -2, 1.125, 0.6875, -1.3125, 1.5625, 0.3125, 1.75, -2, 0.125, -1.3125, -1.25, 1.125, -0.625,
    -1.3125, -0.875, 1.4375, -1.5, 0.25, 0.9375, 1.8125, -0.5, 1.9375, -0.1875, 1.9375, 0.125, -0.1875, -1.625,
    -1.4375, -0.8125, -1.2580081963030347, 1.2484520560439742, -1.3255547646560473, 0.6144852188513248,
    -1.7089190408108543, 0.5144714879975079, -0.0655755683215001, -0.12102424463762503, 0.344902194624226,
    0.04428988002511943, -0.02843151100266509, -0.1802089756733269, 0.03323131255578271, -0.8146369057041132,
    -0.08824710534173423, 0.03699811790270382, 0.11937944556460077, 0.0023013055524719285, -0.42909923645777676,
    0.735872859010281, 1.0507301591060243, -1.1808015687825577, 0.05684952991542891, -0.020780602888144494,
    -0.8516327608565969, -0.5583773358258208, 0.056553071835143874, -0.5525404925034766, -0.055512295320321245,
    0.12587957231476876, -0.026110468994442533, -0.04425680800000503, -0.9778772477917101, -0.01925727238945459,
    0.03700066881380568, 0.9601338513673588, -0.4470809572856885, -0.05441410057673858, 0.4479106155182177,
    0.05358444234420939, -1.875, 0.125, 0.25, 2, -0.875, 1.1875, -0.625, -0.75, -2, -0.25, 1.4375, -1.875, 0.0625,
    0.8125, 0.875, 1, -0.3125, 1.625, 1.3125, 0.8125, 1.875, -0.625, -0.0625, -1.6875, -0.4375, 0.0625, 0.5, 0.5,
    -1.125, -0.875, -1.25, -0.125, -0.4375, 0.6875, 0.6875, -1.5625, 1.3125, -1.75, 1.25, 0.125, -0.875, 2,
    1.863701724719988, -0.6311958283793613, 0.18016204446744283, -0.17225804634167796, -0.9220746546066041,
    -0.7032939385132804, -0.9574758445450897, -0.2939186931333244, 0.004623783882720967, -0.0021857887445589567,
    -1.0820934218442844, -0.7322636312423524, 0.20216674487122988, -0.10640354993222625, 0.3876951217635504,
    -0.19483228394589833, 0.1422651024784412, 1.117776170743557, 0.010348235360445138, 0.10313053196753302,
    -0.1526133378388863, -1.2209067027110905, -0.16865943118757717, 0.17853339133227739, 0.30338083323637555,
    -0.016867708873719356, -0.13472140204879834, -0.161665682458558, 1.0274144070603335, -2.011953117653774,
    0.04496480741730511, -0.06371916831641075, 0.9276207855223615, -1.2368277140298154, 0.03133705237413467,
    0.3007739097459023, 0.792865632511701, 0.7974770962293304, -0.4492026848858357, 1.0267489940247674, -0.8125,
    -0.5625, 0.0625, -0.3125, 1.9375, -1.0625, 1.3125, 1.875, -1.0625, -0.5625, -0.9375, 0.6875, -1.5, -0.5625,
    0.5625, 1.125, -0.9375, -0.3125, 1.375, 1.6875, -0.125, -1.625, 0.8125, 0.125, -1.5, -2, -0.8125, -0.3125,
    -0.1875, 1.875, -0.625, 1.8125, -0.75, -1.125, 0.4375, 1.1875, 1.5, 1.875, -1.1014379705422288,
    -1.304118439778561, -1.7264124231785727, -0.30809084437910633, -0.1104672928371953, 1.5725870739358487,
    0.025087197043212953, 0.04111197205354289, 0.10433407675276726, 0.11896078669249535, -0.0892961363897945,
    -0.0805822834616299, -0.0021249341401887705, -0.005859262340379493, 0.07102733099361662, 0.13110899395120817,
    0.1957301536910827, 0.32237870684572867, -0.010410467558626943, -0.07208314800194637, -0.12848641337167815,
    0.005076284560676526, 0.13889688093030494, 0.06700686344126985, 0.07684118083398936, -0.06296708012798538,
    0.32530741178050615, -0.13444942724037115, -0.4021485926144954, 0.1974165073683564, -0.5755443669354473,
    0.021683549264162216, -0.8836391823287149, 1.2676180133617874, 1.6313847995623545, 1.6634971870758586, -0.6875,
    0.4375, 0.3125, 1.25, -0.75, 0.3125, 0.25, 0.6875, -1.875, 0.125, -0.0625, -1.625, -1.5625, -0.3125, -0.8125,
    -0.8125, 1.375, -1.375, 0.25, -0.125, -0.3125, 0.375, 1.8125, 1.75, -1.8125, -0.75, -0.8125, -0.6875, -1.0625,
    0.3125, 0.25, -0.4375, 1.0625, -0.8125, 1.1875, -1.25, -0.125, 1.5, -1.9375, -0.9375, 0.0625, -1, 1.1875, 0.6875,
    -1.625, 0.1875, 1.0625, 0.3125, -1.625, 0.8125, 2, -1.5625, -1.125, -0.5, 0.625, 1.5, 1.125, -0.8125, -1.6875,
    -0.125, -1.8125, -0.875, 0.1875, 1.875, 1.625, -1.1875, -0.3125, -0.1875, -1.3125, 0.1875, -1.8125, -1.125, -1,
    0.3125, 0.8125, 1.0625, -0.21274037052862857, -0.15801801102481358, -0.8407171128031972, -0.4019159264767374,
    1.7585984430531252, -1.3020223791241081, 0.965838542937745, -1.1053044363819888, -0.5366541282051343,
    -0.3410351611499148, -0.7090928077714903, -0.49778633920175486, 0.6094835854466141, 0.7234107401114505,
    0.5001001427701245, 0.7765077422192375, 0.2517694590516496, -0.19252958633361442, 0.06968888911833107,
    -0.03187027957601736, -0.05715898051876148, 0.04370980863199407, -0.06016365425267611, -0.14577796412414157,
    -0.030487733250005433, 0.3658527990000652, -0.3629859800887605, -0.39348283571105264, 0.01379456218617737,
    -0.16553474623412845, -0.08992695482652202, -0.08801337038566637, 0.01627942248538925, -0.260470759766228,
    -0.0067773101244431675, 0.018330224661208594, 0.020998584650519632, -0.3359773544083141, 0.0028066146635769935,
    -0.012525506606941976, 0.017386482911712277, -0.002006132643659109, 0.05620238391210157, 0.005230169728864541,
    -0.0933040811336225, 0.01076585551541798, 0.2842981126296766, 0.06365017449136384, -0.25106756723405144,
    -0.21355834382865574, 0.12065169411667463, 0.307318986391688, -0.252988867701982, 0.3149951534735155,
    -0.05147827742823585, -0.3582815459538288, 0.27253711903986616, -0.20557275124802188, 0.0018368335332662835,
    0.0034503576474535927, -0.03531811418654553, 0.05076957090936236, 0.03354422739077227, -0.11549778637682892,
    0.519336337111434, 0.5619106562971685, 1.2051726584934936, -1.21532720981619, -1.7605727403299496,
    -1.0100209267404734, 0.19906375720912628, 0.48235884312745075, -0.7698085950065274, -0.24729831702946367,
    -0.4241227771642791, -0.2241195544033891, 1.4375, 0.4375, -1.9375, -1.375, 0.125, -0.3125, -1.25, -1.1875, -0.875,
    -1.1875, -0.8125, -0.25, 1.8125, -1.5, -0.5625, 0.0625, -1.625, -1.9375, 0.5625, -1.5, -1.8125, -0.875, 1.5,
    -1.375, -0.125, -0.1875, -0.625, -0.25, -0.8125, 1.8125, -1.3125, 1.3125, 1.625, 0.9375, -0.0625, 0.5625, 0.125,
    1.875, -0.625, -1.375, -1.875, 0.8125, -0.75, -0.9375, 1.875, -0.4375, -0.75, 1.9375, -2, 1.3125, 7, 7, 3, 3, 3,
    -0.5625, 1.625, 1.8125, 0.75, -1.625, 0.0625, -1.0625, 1.1875, 0.25, -1.5625, -1.875, -1.829071945462339, -0.75,
    -0.8664651868305069, -0.573681112057512, -0.4375, -0.7452095819870261, 1.9375, 1.4737306386624456,
    1.2776032700065285, 0, 0, 0.1718249691612407, -0.025935844401697, 0, 0, 0.01169990588037163,
    0.0014624882350464394, 0.0925442228399933, -0.603866199052701, 0, 0, 0.010410131762132858, -0.0013289529909106773,
    0, 0, -0.013561380741027512, -0.09492966518719262, 0.042238671862744936, 0.23157702615705933, 0.10050139705657453,
    0.07132357210466579, -0.10050139705657501, -0.07132357210466614, -0.09439227628094216, -0.11619497075304319,
    -0.16376739942565874, -0.23416458913448657, 0.2581596757066008, 0.3503595598875297, -0.006423272789401213,
    0.005315811963642383, 0.006423272789401055, -0.005315811963642252, -0.17214259551804867, 0.005494076598209774,
    0.19016894214115482, -0.053564334259825985, -0.01802634662310614, 0.04807025766161638, 1.0347295484190886,
    0.02777045158091139, 1.4995041450424393, -0.3916066836291485, -0.17039746141329093, 0.04621257875588856,
    -1.0462125787558887, 1.1999918925012547, -0.026272110933472134, -1.2987197815677827, -1.25, 2, -1.5625, -0.9375,
    0.1875, -1.125, -0.375, 1.25, 0.75, -1.5, 0.875, -1, -1.1875, 0.8125, -1.125, -0.6875, -0.625, 0.25, -1.5625,
    1.0625, 0.375, -1.3125, 1, 0.125, 1.6875, -1.125, 1.375, 0.8125, -0.0625, -0.5625, 1.875, -0.3125, 1.4375, 0.4375,
    1.375, 0.0625, 1.8125, 1.75, -0.8125, -0.3125, 0.4375, 1, 0.0625, -0.1875, -0.9375, -0.3125, -0.9375, 0.875,
    1.125, -0.8125, -0.9375, -1.75, -0.875, -0.875, -1.625, -0.6875, -1.9375, 0.25, 0.875, -1.25, 0.1875, 0.75, 1.875,
    -1.75, 1.75, -1.0625, 0.75, -1.0625, 1.4375, 1.1875, -0.4375, -2, 1, 1, 2, 2, 5, 4, 4, 4, -0.6875, -0.375, -1.25,
    -0.8125, 0.6875, -0.375, 1.125, -0.6875, -1.875, -0.6875, 1.0625, 0.3125, 0.14785026281923214, 0.6824842122972061,
    -0.21830644119952503, 0.42483179127000714, -0.6226613288087155, 0.2123483189212345, -0.5359652201975594,
    -0.14993805759144913, -0.4354959952366, -1.2050476426896326, 0.20899289776550822, -0.2344723667226579,
    0.014793670087773853, -0.09172075454419774, 0.08994589589619496, 0.011605922051121938, 0.9090136773594558,
    0.1172920874012201, 0.004926402115703596, 0.02955841269422138, 0.9912129243368769, 0.7788101548361176,
    -0.6264911496111518, -0.4922430461230479, -0.056458624731341195, -0.2929108875370926, 0.09487121935207694,
    0.160769538085126, 0.18897861994448517, 0.44488270676950453, -0.17267737692260293, 0.1803811249683315,
    0.19350287718088116, -0.41992036920123843, 0.06347264827645571, -0.11564324739253794, -0.05917468035109533,
    0.09467948856175253, 0.0591746803510953, -0.09467948856175248, -0.015432052731402995, 0.5713366009971977,
    0.015432052731403023, -0.5713366009971977, -0.029558412694221377, 0.09852804231407125, 0.029558412694221367,
    -0.09852804231407122, 0.07437330946396184, -0.32774409024539564, -0.07437330946396176, 0.3277440902453955, 0, 0,
    -0.15779714236792222, -0.06385194091264623, 0.23473280580406475, 0.25696098028187153, -0.07693566343614261,
    -0.19310903936922524, 0, 0, 0.5091904409159939, -0.6972272105207091, 0.0743682673748101, 0.06644739864982957,
    -0.5835587082908039, 0.6307798118708795, -0.03210420311395562, -0.6553957968860444, -0.9479051896997863,
    -0.6770948103002137, -0.4696874126099897, -0.3428125873900103, 0.010804059820288314, 0.3016959401797117, 0,
    -0.4216251648438628, -0.6679543266535215, -0.3479205085026156, 0, 0.6232823688881843, 0.23394562738755612,
    -0.16972799627574056, 1.875, -0.4375, 0.6875, -0.9375, 0.5, 0.875, -1.125, -1.3125, 1.375, -1.9375, 0.25, -0.9375,
    1.875, 0.3125, -0.4375, 2, 1.375, -1.375, 1.3125, -1.875, -0.5, 1, -1.3125, -0.1875, 0.6875, -1.25, 0.625, -0.5,
    -1.6875, 0.5625, 0.5, -1.5, -1.9375, 1.0625, 1.9375, 0.375, -1.5625, 1, -0.875, -1.5625, 0.75, -0.6875, 0.125,
    -0.9375, 1, 1, 1, 2, -0.1875, -1.5, 1.875, -0.1875, -1.5625, -1, 0.5, 0.0625, 0.8125, -1.6875, 0.0625, 1.0625,
    -0.4639920882703842, 0.15897583022241357, 0.6317054702714441, -1.1837814827208024, 0.05408156338277827,
    -0.04326525070622261, -0.7087528387584136, -0.003436966292389834, 0.6411228629295532, -1.2177128035969211,
    0.4078417528146432, -0.32627340225171453, -0.1485297098493012, 0.16895984111753998, 0.07035832356122065,
    -0.10408594512194377, -0.03104507345156969, 0.044350104930813844, 0.03904779600844645, -0.13122750882281994,
    0.016084603350442404, -0.02762848237056823, -0.0627706224187746, 0.08967231774110657, -0.11363197910536241,
    0.018132610724384445, 0.22497155447131392, 0.08087584991621855, 0.04330961198691627, -0.059642758037831596,
    -0.023783003680364567, 0.024139443236173487, 0.006225699151763665, -0.3096587960095252, 0.2434322057622418,
    -0.41524299762176997, 2.560872435926595, -1.8159772498468028, -0.09441973317548134, 0.6068004783724481,
    -0.2485555982197485, 0.02727761355997868, 0, 0, 0, -0.11968415109610855, 0.20009672870711737, 0, 0, 0, 0,
    -0.14926232938639106, 0.05773204373370061, 0.23239569270145108, -1.9375, 2, -1.125, 1.125, -0.8125, 0.1875,
    1.4375, -0.4375, -0.9375, 1.8125, 1.125, 0.1875, 1, 3, 1, 0, 1.375, -0.9375, 0.75, -0.1875, 1.8125, -0.3125,
    -1.9375, -1.5, 1.9375, -1, -0.5, 1.875, 1.125, -0.8125, 0.1875, 1.8125, 1.125, 0.1875, 1.125, -0.8125, 0.1875,
    -1.9375, 2, -1.125, -1, -0.5, 1.875, -0.5625, -2.4375, 2.6875, 0, 0, 0, -0.1875, 1.8125, -0.3125, -0.5, -1, 0.75,
    -0.875, 1.25, 1.5, 0.9375, -0.875, 2, -0.9375, 0.5625, 1.25, 1.5, 0, 0, 0, 0, -0.9375, 0.5625, 0, 0, -0.5, 0.1875,
    -1.5625, -1, 1.25, 1.25, -1.6875, 0.75, 3, 0, 3, -1.875, -1.9375, -0.5, 1.9375, 1.875, -0.9375, -1, 0.75, -0.5,
    1.25, -1, 0.75, -0.5, 0, 0, 0, 1.9375, 0, 0, -2.875, -0.5, 0.3125, -1.125, -1.5, -0.5625, 1.125, 0.5, 0.5, -1.5,
    -2, -0.5625, 0.125, -1.25, 0.5, 1.125, -1.25, -0.375, 0.875, 2, 0, 2, 2, 0.3125, -1, -0.3125, -1.4375, -1.6875,
    1.4375, 1.1875, 0.1875, -0.8125, -1.3125, -1.375, 1.0625, 0.75, 1.4375, -1.9375, -1.9375, 1, 0.25, 0.75, 0.0625,
    -1, -1.1875, 1.875, -1.0625, -1.25, 0.5, 1.125, -1.25, -0.375, 0.875, -0.5, 0.3125, -1.125, -1.5, -0.5625, 1.125,
    -1.25, 0.5, 1.125, -1.25, -0.375, 0.875, -1.25, 0.5, 1.125, -1.25, -0.375, 0.875, 1.1875, 0.1875, -0.8125,
    -1.3125, -1.375, 1.0625, 0, 0, 0, 0, 0, 0, 1.8125, 0.5, -3.25, -4.5625, 1.1875, 0.625, -1.3125, -0.375, -0.6875,
    -0.375, 1.5, 0.0625, 1, -0.0625, 1.25, -0.125, 0.625, -1.5, -1.875, -1.0625, -1.25, 1.625, -1.8125, 0.8125, 2, 0,
    2, 2, -0.8125, 1.75, -0.625, -1.5, 1.6875, 0.75, 1.625, -1.9375, -1.75, -1, 2, 1.1875, -0.9375, 2, -1.5625, 1,
    1.0625, 0.25, -1.9375, -0.8125, -0.9375, 0.0625, 1.375, 0.9375, -0.6875, -1.3125, -0.6875, -0.6875, 0.0625,
    -0.375, 0.0625, 0.0625, 1.25, 1, 1.25, 1.25, -1.5, -0.125, -1.5, -1.5, -1.25, -1.875, -1.25, -1.25, 0.8125, 1.625,
    0.8125, 0.8125, 1.75, 0, -2.9375, 0.75, 0, 1.375, -1, 0, 1.4375, 2, 0, -1.5, 0.25, 0, -1.6875, 0.0625, 0, 1.375,
    1.125, 1.625, 0.6875, -1.0625, -1.5625, -1.375, 0, 0, 0, 0, 0, 0, -1.75, 1.9375, -1, -0.5625, -0.75, -1, 0, 0, 2,
    1, 2, 1, 1, 1, -0.3125, -0.1875, 0.8125, 0.25, 1, -0.125, 0.75, 1.1875, -1.75, -1.75, -1, 1.9375, -1, -0.75,
    -0.75, -0.75, -0.5, 0.25, 0.8125, 0, 1.8125, 1, -1.875, -0.0625, 0.5, -0.4375, -1.8125, -1.125, 2, 0, -0.6875,
    -0.5, -1.8125, -1.875, -0.5, 0, 0, 0, -0.6875, 0, 1.75, 1.25, -1.8125, -1.4375, 0.125, 0.375, 1, 0, 1, -1.875,
    0.9375, 1.1875, -1.4375, 1.25, 0.375, 0, 0.9375, 0, -1.875, 0, 1.1875, -0.4375, 1.3125, 0.5625, 2, 0.3125, 0.375,
    -1.1875, -0.125, -0.625, 0.875, 0.5625, -0.3125, -1.875, -0.75, 1.4375, -0.625, -0.375, 0.8125, 2, 0.875, 0.9375,
    1.8125, 1.5, -1.75, -0.875, 0, 0, 0, 0, 0.75, -2.375, -0.25, 0, 1.75, 0, 0, -3.75, 0, 0, 0, 0, 1.625, 4, 1.75, 0,
    3.625, 0, 0, 0.9375, -1.25, 0.5625, -1.4375, 1.6875, 1, 1.4375, -0.375, -0.5625, 0.6875, -0.5, 0.4375, 1.25,
    0.0625, 0.0625, -1.3125, -0.9375, 1.8125, -2, 0.625, 1.25, 0, 0.75, -1.9166666666666665, 2.25, 1.3333333333333333,
    1.9166666666666665, -0.5, 0, 0.9166666666666666, -0.6666666666666666, 0, 1.6666666666666665, 0.08333333333333333,
    0.08333333333333333, -1.75, -1.25, 2.4166666666666665, 0, 0.8333333333333333, -1.375, 2, 0.4375, -0.5625, 1.4375,
    1.3125, 1.875, 0.375, -1.375, 1.5625, 1.75, 1.5625, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.0625, -1.0625,
    0.9375, 1.8125, -1.125, 1.25, -2, -1.25, -1.0625, -1.3125, -0.375, 1, -100, 3, 0.5, 1.2165498515042048,
    0.061170865121143246, -0.1992875716302864, 0.016463914995961094, 0.12165279151318209, 0, 0, 0, 0,
    0.045089577248487285, 0.054388412010729394, 0.04235773786396625, -0.14183572712318293, 0.875, -0.1875, 0.9375, 1,
    0.6875, -0.0625, 0.0625, 0.4375, 1.875, -1.9375, -0.0625, -1.375, 0, 2, 1, 1, 0.9375, 1.0021994609121119,
    -0.1828365347791273, 0.04481049452741976, 0.13802604025170756, 0, 0, 0, 0.036418795549885974,
    -0.25951096514418037, 0.22309216959429434, 0.03368954855391368, -0.09281654763434999, 0.059126999080436296,
    -1.125, 1.0625, 1, -0.625, 0.6875, -0.75, -0.75, -1.6875, -1.3125, -1.0625, -0.1875, -1.4375, 0.875,
    2.4134114583333335, -0.109375, 0.8020833333333333, 0.6744791666666666, 0.12760416666666666, 0.2552083333333333,
    0.20052083333333331, 0.109375, -0.8020833333333333, -0.6744791666666666, -0.12760416666666666,
    -0.2552083333333333, -0.20052083333333331, 0.0625, 0.4375, 1.875, -0.8125, 1.0625, 0.0625, 0.375, 0.125, 1.9375,
    0.0625, -1.875, 0.9375, 1, -100, 3, 0.5625, 3.255898102091368, 0.06251669823664292, -0.4715387407954077,
    0.38296120546820595, 0.026060837090558817, 0, 0, 0, 0, 0.3644722705408765, 0.055893632964691915,
    0.008052241285367127, -0.4284181447909356, 1.9375, 1.3125, -1.1875, -0.4375, -0.0625, -1.0625, -0.5625, -0.625,
    1.5, 1.5625, -0.75, -1.0625, 0, 2, 1, 1, 1.8125, 5.27305709014367, -0.664765780252522, 0.6143378580221638,
    0.050427922230358246, 0, 0, 0, 0.18485424487051497, -1.6388455076521173, 1.4539912627816023, 1.5472236138301652,
    -1.6593041164936788, 0.1120805026635137, -1.125, -1.75, -1.3125, 1.9375, 0.125, 1.1875, -0.75, 0.5, 0.8125, -1.75,
    -1.625, 1.1875, 0.125, 26.37890625, -0.09375, -0.5625, -0.53125, 0.921875, 0.4375, 0, 0.09375, 0.5625, 0.53125,
    -0.921875, -0.4375, 0, -1.6875, 1.8125, -2, -0.75, -1.4375, 0.3125, -2, -1.9375, -0.875, 2, 1.8125, 0.625, 1,
    -100, 3, -0.5, 1.75, 1.9375, 0.12168827233306483, 0, 2.1350040373524224, -0.01336874909414086,
    0.057287831625166985, -0.009780785776739713, -0.0341382967542864, 0, 0, 0, 0, 0.05111866649114567,
    0.9061000440791063, 0.7511833205261234, -1.7084020310963757, -1.9375, 0.625, -0.1875, -1.625, 1.25, 0.125, -1.5,
    1.375, -1.5625, 0.5, -0.75, -0.875, 0, 2, 1, 1, -0.375, 1.1875, -0.9375, -0.625, 2.9817753265685925, 0,
    0.10383212638217618, 1.6813566067327144, 0.3559864725022019, -0.24657117628306432, -0.10941529621913756, 0, 0, 0,
    -0.0476739263699405, 0.09245943555747055, -0.044785509187529944, -0.4060170050173051, 0.5086741804557342,
    -0.10265717543842912, -0.75, -0.3125, 2, -1.75, 1.0625, 0.1875, 0.0625, -0.125, 0.25, 1.125, -1.75, 0.875, 1,
    -1.25, -1.5, 1, -0.5, -1.8125, 0.66015625, 0.03515625, 3.0625, 8.265625, 7.91015625, 0.47265625, -1.625, 0.46875,
    -5.25, -5.75, -2.8125, 2.4921875, 1.625, -0.46875, 5.25, 5.75, 2.8125, -2.4921875, 0.75, 1.1875, 0.25, 1, -1.625,
    0.7116028977998379, -0.5149965476062078, 0.8273577433755296, -0.3123611957693218, 0.5625, -1.75, 1.5, -1.1875,
    1.25, 0.0625, -100, -100, 0.5, 0, 0, 0, 0, 0, 0, 0, -0.375, 1.9375, -1.5625, -0.1875, 1.875, 0.5625, 2, 0, 0.0625,
    0.22266993747568983, 0.002895470654198393, -0.008477556086028008, 0.0008830686568390481, 0.0027197805713330696,
    -0.0037785393110374432, 0.005757775514694938, 800, 0, -800, 0, 0, 0, 2, 1, -1.9375, 800.5493061443341, -0.96875,
    0, 0.96875, -0.32291666666666663, 0.6458333333333334, -0.32291666666666663, 0.8125, 1.875, 0.6875, 0.875, -1.9375,
    0.125, 1.3125, 0.9375, -1, 1.4375, -0.9375, 0.4375, -0.8482100947392874, 1.188460781609694, 1.5369508300152694,
    1.587856002236027, 1.249814437779495, -0.2508919151475128, -1.955001512017942, 0.6905923754464547, -0.8125,
    2.6953125, -0.64453125, 0.3828125, 0.25, 0.5, -0.4375, -0.5, -0.4375, -0.4375, -1.8125, 0.6875, 0.0625, 0.625,
    -0.625, -0.25, 0.6875, -0.75, -0.375, -1.875, 0.13802895925452294, -0.426824461395797, -0.45102000720393803,
    -0.166925538604203, 0.3653460399260683, 0.7011880785822204, -0.36311763128472613, -0.4735923035444489, 0.171875,
    0, -0.375, 0, 0.1640625, 0, 0.9375, 0, 1, -0.5, 0.25, -2, 3, 0, 0.5, -1, 0.75, 0.3125, 1.375, 1.1875, 0.375,
    1.9375, -1.9375, 1.399789198096713, -0.10021080190328704, 0.841344746068543, -0.10021080190328704,
    1.9544997361036416, 0.5800294857173489, 0.3523341225718686, -0.17527013931622196, 1.2864371213228776,
    -0.04780094708624235, 2.1026366145890067, -1.935999835869768, 0.30453317548562625, 1.9273664752727848,
    -0.6495627145468905, 1, -0.5, 0.25, -2, 3, 0, 0.5, 9, -0.75, 9, 1.875, -1.6875, 0.625, 1.8125, 1.1875, -1.75,
    1.399789198096713, -0.008194348896400028, 0, 2.2224949365261493, 0.5800294857173489, -0.16997051428265111,
    2.1140047354312115, 0.3125, 1.1865805445653417, 0.03717146302479142, 1.9197814109550626, -0.0013549869563384276,
    3.613085279996553, 0, 1.9555978870235156, 0, 0.5, -1.25, 2, 0.1875, -1.9375, -1.1875, 0.841344746068543,
    -0.015524163314440398, 3.9998733150326675, 0.4062433014703824, 0.14574295789406264, -2.376196167945413, -1.125,
    0.9375, 1.6875, 1.6875, 0.1875, -1.375, 1.625, -1.4375, -0.9375, -1.375, -0.125, 1.25, -0.9022675940990952,
    0.806081108260693, 0.9931978518853749, 0.9931978518853749, 0.18640329676226988, -0.9808930570231557,
    0.7006618397978326, -0.8507197954454364, 0.10916150730454899, 0.16010354404667185, -0.12280916413765691,
    0.243184634986234, 0.4375, 0.1875, -1.875, -1.25, -1.875, 0.875, 1.5, -1.8125, -1.875, 0.25, -1.125, 1.625,
    0.42367625720393803, -0.9540857816096938, -0.9540857816096938, 0.18640329676226988, -0.9489846193555862,
    0.7675435022360271, 1.3587205251389045, 0.24561832827531382, 0.5429044799686031, -0.35473765769467724,
    0.5616253241054515, 1.0416198945154032, 1.3125, -0.6875, 0.9668265566961802, -0.17561071473605805, 0, 3.25,
    -1.1875, 0.25, 0, -0.10819513453010837, -1.1875, -0.24853241902013656, 1.3125, -1.5625, 0.8125, 0.75, -1.9375,
    -1.75, -1.375, -1.5, 0.625, 1.6875, 1, -0.0625, 0.2554337668888117, 0.008296231623858378, 0.6876855622205048,
    0.7316888688738209, -0.3585402173062328, -0.17824605564949209, 1.3293865154572477, -1.4999483785173733,
    -0.45375540953794535, -1.1502654075393763, 0.9335142808623762, -0.06149912167962106, 0.5625, -0.125, -1.1875,
    0.0625, 1.9375, 0.4375, -1.25, 0.1875, -0.1875, -1.75, -1.9375, 0.625, 0.8459244992310679, 0.37397963082453317,
    -0.3585402173062328, 0.992197667229329, 0.9980475107000991, 0.9058136834259364, 0.6666283419200252,
    -0.21818078342414846, 0.17389442200966268, 0.12101492831961164, 0.17503392766169554, -0.26479766075246125,
    -0.0625, 1, 0.9980475107000991, 0.0624593178423802, 0, 3.25, 1.3125, 1.875, 1, -0.9941296760805463, 0,
    0.2028658772439532, -0.6875, -1, -0.625, 1.75, 1.125, -1.9375, -0.8125, -1.1875, 0.1875, -1.5, 1.25, -1.5625,
    -0.6690846628860813, -0.8427007929497149, -0.623240882188418, 0.9866716712191824, 0.8883882317017078,
    -0.9938568063952132, -0.5714870948780499, -0.4929401531869562, 0.1431561629551134, -0.07916249389522556,
    0.3978424481259616, -0.04130230746567267, 0.3125, 0.1875, -1.4375, 0.1875, -0.625, 0.375, 0.0625, 1.9375, -2,
    -0.875, -0.0625, 1.25, 0.341468633501595, -0.95794060605646, -0.623240882188418, 0.20911767705937584,
    0.20911767705937584, 0.4041169094348223, 0.06396221666251234, -0.9532239530428713, 0.2768649241658799,
    -0.06808742521734795, -1.5269990715212098, 1.2254410119323849, -1.5, 1.625, -0.9661051464753108,
    0.1932617199883977, 0, 6, -6, -0.25, 1.5, 1.625, 0, 1, -1, -0.28209479177387814, 3.9259518588738967e-16,
    4.253114513780055e-16, -1, 1.5, 1.4375, -0.5, -1.125, -0.6875, 0.0625, 1.75, -0.1875, 1.3125, -1.5625, 1.5625,
    -0.6321205588285577, 3.481689070338065, 3.2101572561439604, -0.3934693402873666, -0.6753475326416503,
    -0.49716842202905903, 0.022992465073215146, 7.842955873091615, -0.7894044855269925, 0.7960714908728314,
    -0.5072694802474215, 0.7856743405795952, 0.4375, -1.6875, -1.4375, -0.25, 1.8125, 1.0625, 0.1875, -1.125, 0.375,
    0.375, -0.4375, 1.625, 0.5488302986341331, -0.7624791809045419, 5.125742661881986, -0.8150186000926957,
    -0.22119921692859512, 1.893595944171761, 0.29040568099389996, 0.06936802496523913, -0.26721092148239034,
    -0.34072534259373966, 2.297153498205745, 4.702093409279112, 1.375, 1.125, 2.955076722920577, 4.449461313285649, 0,
    1e-09, -40, -1.375, -1.6875, 1.6875, 0, 1.0000000005000001e-09, -1, -1.375, -1.6875000016875001, 0, -0.375,
    1.3125, -1.5625, -0.4375, -0.1875, 1.75, -1.625, -0.625, 1.5, 1.3125, 1.3125, 1, 0.52312326413984,
    1.5508445081104412, 0.1902991403795559, 0.49813454751437536, 0.6037852895555947, 1.9102241504380872,
    -0.6619167750746366, -0.4924569972768091, 0.2599323088939898, 0.5149420895943297, 0.5949061755201943,
    0.8519528019683106, 0.0625, -1.4375, -0.0625, -0.9375, 0.875, 1, -0.875, 1.0625, 1.25, -0.1875, -1.9375, -1.8125,
    0.7248853823577754, 0.6623853823577756, 1.2234445810050558, 0.21311003883067595, 0.3304582076022206,
    1.3132616875182228, -0.4511674262576387, -0.03598739745885691, 0.5146538395442959, -0.5452233643939661,
    0.882231284796264, -1.3250436737668838, -1.375, 1.1875, 0.22541265160164792, 0.23965320143419985, 0, 30, -30,
    -0.75, 0.0625, -1.875, 0.6931471805599453, 30.000000000000092, 9.357622968839737e-14, -0.375, 0.06249999999999415,
    -1.7545543066573688e-13, 2.5625, 0.3125, 0.5, 0.5, 0.6875, 0.3125, 1.8125, 1.0625, -0.375, 0.5, -1.875, -1.1875,
    1.270462545594769, 0.27193371548364176, 0.4054651081081644, 0.4054651081081644, 0.5232481437645479,
    0.27193371548364176, 0.5087719298245614, 0.8095238095238095, -0.25, 0.3333333333333333, -1.1111111111111112,
    -0.9047619047619048, 0, 1e-09, -0.5, -1.25, -1.3125, -0.1875, 0, 9.999999995e-10, -0.6931471805599453, -1.25,
    -1.3124999986875, -0.375, 1.875, 2.3125, 0.9375, 2.25, 1.5, 1.1875, -1.5, 0.9375, 1.5, -0.3125, 1.9375, -1.625,
    0.7302967433402214, 0.6575959492214292, 1.0327955589886444, 0.6666666666666666, 0.8164965809277261,
    0.917662935482247, 0.29211869733608853, -0.13329647619353296, -0.8262364471909153, 0.046296296296296294,
    -0.5273207085158232, 0.6278746400668005, 0.25, INFINITY, -1.875, 0.875, 2, 0, 7.5, 0, 0.5625, -1.1875, 1.875,
    0.9375, 1.25, -1.25, 0.9375, 0.25, 1.375, 0.75, -1.875, -0.5, 0.5625, -0.1484375, 1.875, 0.9375, 1.25, -0.15625,
    0.9375, 0.03125, 1.375, 0.75, -1.875, -0.0625, 0, -0.5, 0.5, -0.5625, 0.125, 0.5625, 0, -0.005, 0.5, -0.005625,
    0.00125, 0.5625, 1.9375, 1.0625, 1.4375, 0.75, -0.8125, -1.5625, 1.5625, -0.625, -0.5, 1.0625, 0.75, -1.4375,
    1.9375, 1.0625, 1.4375, 0.75, -0.5562526899189202, -0.7903886128489022, 1.5625, -0.625, -0.5, 1.0625,
    0.3328104825608099, -0.3013163690297031, 0, -0.5, 0.5, -40, -1.6875, 1.5625, 0.375, 0.5625, 0,
    -0.5902040104310499, 0.5, -1.5, -2.53125, 1.4215562337014847, 0.375, 3.584548902902278e-18, 0.3125, 1.75, 1,
    2.9375, 1.3125, 2.9375, 1.1875, -0.25, 1.8125, -0.8125, 0.5, 2, 1.625, -1.75, -0.625, -1.3125, 0.5625, 1.875,
    0.2512663903169458, 0.8694417438899829, 1, 0.4166467287204994, 1.14564392373896, 8.62890625, 1.5515699602071402,
    0.21736043597249569, -1.1328125, 0.15125605976156428, 0.24549512651549144, 11.015625, -0.47492364623292194,
    -0.8514683214991462, 0, -0.5892618140522111, 0.17524080495202124, 17.434039780882635, 1.9375, 0.4375, 2.0625, 1,
    -1.3125, 0.5625, -1.125, -1.75, -1.0625, -0.3125, 1.0625, 1.9375, 0.41975439693678673, 0.4375, 2.9594860671683945,
    2.0625, 0.3866855391922729, 0.8823934718590835, 7.683361839099259, -0.57395215434023, 0.8871584703836219,
    2.5845491714906097, -2, 0, 0, 3, 3, 0, 2, 0, -1.1875, -1.625, 0.0625, 1.8125, -8, 1, 0, 1, -14.25, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 2, 0.5, -1.4375, 1.625, -1.75, 1, 0, 1, 0, 0, -0.875, 0, 0, 0, -2, -0.5, 0.25, 1, 2, -1, -1,
    0.5, 0.125, 1.25, 0.75, -1.4375, -1.125, -1.4375, 1.625, 1.8125, 0.625, -1, -0.5, 0.25, 0.125, 1.25, 0.5, 0,
    -1.125, -1.4375, 0, 0, 0, -1.4375, 0.625, 1.625, 1.8125, 0, -2, 0.5, 3, 1, 1, 1, -1, -1, -1, -1.875, -1.5, 2, -1,
    -1, -1, 0, 0, 0, 0, 0, 0, -1.875, -1.5, 2, 1, 2, 3, -1, 2, -1, 0, 0, 0, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN,
    0, 1, 0, 1, 2, 3, -1, 2, -1, 1, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 1, 0, 1, 1, 2, 3, -1, 2, -1, 1, 0,
    0, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3, -1, 2, -1, 1, 0, 0, 1, NAN, INFINITY, 1, NAN,
    INFINITY, NAN, 0, 1, 0, 1, 2, 3, -1, 2, -1, 0, 1, 1, 0, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 0, 0, 1, 2, 3,
    -1, 2, -1, 0, 1, 1, 1, NAN, INFINITY, 1, NAN, INFINITY, NAN, 0, 1, 0, NAN, INFINITY, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0,
    0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, NAN, 0, 2, -1, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, 0,
    0, 1, 1, 0, 0, 1, 0, 0, NAN, 0, 2, -1, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0.3125, 1.625, 0.5625, -0.375, -0.25, 0.125,
    0.0625, 0.0033473968505859375, 0.0006694793701171875, 0.00012874603271484375, 0.0003719329833984375,
    -0.0005578994750976562, -0.0008368492126464844, 0.0016736984252929688, 1.25, 0.4375, 0.75, 0.875, -1.5625, 1.375,
    1.0625, -0.4375, 1.375, -0.9375, -1.6875, -1.4375, 2, 1.125, 0.25, -0.25421142578125, -0.845947265625,
    -5.211639404296875, -0.40673828125, -1.162109375, -1.2689208984375, -1.087646484375, 0.8338623046875,
    -0.94757080078125, -0.478515625, 1.162109375, -0.692138671875, 1.01513671875, 0.7720947265625, 0.9063720703125,
    0.8125, -0.25, 1.8125, -1.75, 0.625, -1.9375, 0.75, -1.875, 0.1875, 1.8125, 1.5625, 1.8125, -1.0625, -1.9375,
    1.375, 0.4375, 0.92041015625, 0.2197265625, -0.84765625, -6.15966796875, -1.20361328125, 4.662109375,
    -0.53955078125, 0.666015625, -1.564697265625, 0.6015625, -0.567626953125, 1.437255859375, -2.2705078125,
    -1.48681640625, -0.2724609375, -1.48681640625, 1, 0, 3, 0, 2, 0, 0.4375, -0.1875, 0, 0, 0, 1.3125, 0, 0, 0, 0,
    -1.8125, 1.375, 1, 1, -1.8125, 1.125, 1.0625, 0.875, -0.25, -1.875, 0.625, 1.5625, 0.375, -1.875,
    1.2303137303143454, 1.265817886536211, -0.1619251619252429, 0.061912561912592874, 0.057150057150085726,
    0.042862542862564294, 0.09836463844788475, 0.7001247795408267, -0.22566005290985325, -0.5728293650788582, 1,
    1.0625, -1.625, 2, -0.8125, -1.4375, -0.875, 0.5, 1.375, 1.25, 1.5582233138524573, 0.8204736944798007,
    0.114897817752896, 0.13328146859335935, -0.6572155175465652, 0.40903623120030974, -0.07934948689359775,
    -0.39674743446798877, -0.11108928165103685, 0.5871862030126234, -0.6875, -0.125, -0.75, 0.9375, -1.8125, 0.375,
    -1.4375, -0.0625, 1.375, 1.5, 1.4375, -2, 0.875, 1.3125, -0.5, 0.6381430580206918, 1.0387981336621663,
    1.6824770924641639, -0.04999042341009415, 0.2071031826989615, -0.6383203011372044, 0.07238683827329122,
    0.13001662904046896, -0.08667775269364597, -0.39278189822216836, 0.23566913893330102, 0.25664424478712344,
    0.3092892180767898, -0.19192930953593038, 0.1485904331891074, 2, 2, 1, 2, 1.375, 0.6875, 0, 0.7071067811865476, 0,
    0, -0.4861359120657514, 0.4861359120657514, 0.625, 1.9375, 1.6875, 1.0625, 1.1875, -0.1875, -1.4375, -1.25,
    2.6442744751632725, 1.6044372066241794, -0.33976711133382825, -1.0532780451348678, -0.9173712006013364,
    -0.827782473827346, -0.9251686472187985, 0.1460792600871787, 0.3125, -1.4375, -1.75, 1.25, -1.8125, -0.5625,
    0.9375, 3.2234492395569068, 0.09088672667923609, -0.418078942724486, -0.5089656694037221, 0.36354690671694434,
    -0.5271430147395693, -0.16359610802262498, -1.0625, 0.6875, -1.4375, 0.6875, 0.25, -0.375, 1.75, 0.375, 3.1875,
    1.3125, -1.75, 1.75, -1.75, 0.375, 0.375, -0.375, 0.1875, -1.5625, 0.8125, -0.25, 0.9375, -2, 1.5, 5.75, 1.5,
    -1.5, 1.5, -1.5, 1.5, -1.5, 0.4375, -1, 1.75, 1.5, -1.9375, -2, -1.25, -1.1875, 1.8607954390946349,
    2.6518294408811354, -0.06909853852876897, 0.36100460945642565, -1.1055766164603036, -0.37994869802185244,
    0.6339074631927087, 0.6754643520388488, -1.0625, -0.625, -1.4375, -0.9375, 0.4375, -1.4375, -1.75,
    2.0240623675728555, 0.48222324976886627, 0.16685925597538626, 0.8826854641097933, 0.3754333259446191,
    -0.08176103542793926, 0.8826854641097933, 0.0625, 1.0625, -0.4375, 0.5, -1.3125, -1.875, 0.5625, -0.625,
    3.772196131414746, 10.381651947208459, 4.369982026883767, 1.0598763222877956, -1.6516979538509173,
    -2.847923029816046, 1.7577762557392262, 1.4706611287677487, -1.8125, 0.0625, -1, -1.875, 1.25, 0.125, 1.5,
    29.56298045116642, -6.0579594158599805, 32.62310984933826, -8.155777462334566, -5.956137720150509,
    7.294749126056328, 23.06802219786073, 0.375, 1.25, 1.25, -1, -1.3125, 0.4375, -1.3125, -0.6875, 1.25, 1.3125, 0,
    -0.65625, -0.65625, 0, 0.6875, 0, -1.375, -1, -0.4375, 1.5625, -1.8125, -1.875, 0.4375, 1.875, 0, 0, 0, 0, 0,
    -0.4375, 0, 0, 0, 3, 1, 1.4375, 0, 3, 0, 0, 0, 1.4375, 0, 0, 0, 3, 0.375, -0.625, 0, 3, 0, 0, 0, -0.625, -2, 2, 1,
    -1.5625, 2, 0.78125, -0.78125, 0, 0.375, 0.4375, -1.6875, 1.875, -0.4375, 1.5, 0.8125, -1.875, -0.8125, 0.0625,
    -1.0625, -0.8125, 0.375, 0.4375, -1.3125, 2.3125, -1.75, 3.8125, -1.0625, -2.625, -1.875, -0.75, -1.0625, -0.8125,
    0.3125, -1.5625, 0.25, 0.375, 0.4375, 0.375, 0.9375, -0.375, 1.625, 2, 0.4375, -0.9375, 0.3125, -1.25, -1, 0.375,
    0.8125, 1.1875, 2.1875, 1.25, 1.625, 1.5, -0.5, -0.9375, -1.8125, -0.25, -1.3125, -1.5, 0.625, -0.625, -1.625,
    -1.6875, -0.25, -1.1875, 0.875, 1.1875, -1, 0.3125, -1.125, 0.9375, -0.875, 1.1875, 1.5625, -0.75, -0.5, -1.9375,
    -1.5625, -1.9375, -1.8125, -0.25, -3.125, -1.75, -2.5, -2.375, -1.625, -1.6875, -1.875, -2.875, -1, -1.6875, -3,
    2.4375, -2, 2.125, -0.875, 1.1875, -0.5, -4.625, -2.0625, -3.875, -1.5625, -1.9375, -0.8125, -0.0625, -0.625,
    -1.3125, -0.875, 1.9375, 0.4375, 1.875, -0.6875, 1.375, 0.6875, -1.1875, -0.8125, -1.4375, -2.3125, -0.0625,
    -1.375, 0.5625, 1.625, 0.875, 1.1875, -0.5, -0.6875, -1.1875, 1, 3, 3, 0.5, 2, 2, -1, NAN, 3, 0, 1, 2, 2, 0, 1, 3,
    1.75, -0.6875, -0.375, 1, 1.375, 2, 1.375, 0.9375, -0.4375, 0.3125, 1, 3, 2, 4, 3, 2, 4, 1, 0, 0, -0.1875, 1.875,
    0.6875, 1.9375, -0.1875, 0.75, 0.25, 1.9375, -1.8125, -1.8125, -0.25, -1.9375, -0.8125, -1.4375, 1.375, 1.9375,
    0.875, 1.5625, 1.6875, -1.9375, -1.8125, -1.8125, -0.1875, 0.75, -0.1875, 1.875, 0.25, 1.9375, 0.6875, 1.9375,
    -0.8125, 1.9375, 1.6875, 1.5625, 1.375, -1.4375, 0.875, -1.9375, -0.25, -1.9375, 1, 3, 3, 0.5, 2, 2, -1, NAN, 1,
    2, 0, 3, 3, 0, 1, 2, 1.8125, 1.25, 0.125, -1.875, 2, 1.25, 0.875, 1.625, 2, -1.375, 4, 3, 0, 2, 1, 0, 2, 1, 3, 4,
    0.0625, 0.25, 0.25, -0.8125, 1.4375, -1.625, 0.8125, -0.5, -0.125, 1.6875, 1.6875, -0.1875, 0.75, -0.8125,
    -0.0625, 0.3125, 0.5625, 1.25, -1.875, -1, 1.4375, 1.6875, 0.8125, 0.25, 0.25, -0.5, 0.0625, -0.8125, -0.125,
    -1.625, 0.5625, -0.8125, -0.0625, 1.25, 1.6875, -1, 0.75, 0.3125, -1.875, -0.1875, 1, 4, 2, 3, 0.5, -1, 8, -2,
    0.5, 1.4375, 0.5, 1.9375, 1, 2, -2, -1, 0.5, 0, 1.4375, 0, 0, 1.9375, 0, 0.5, 1, 4, 2, 3, 0.5, -1, 8, -2, 1.9375,
    -0.25, -0.625, 0.1875, 4, 3, 8, 0.5, 0, 1.9375, 0, -0.25, 0.1875, 0, -0.625, 0, 0.1875, -0.5625, -1.5625, 0.25,
    -1, -0.9375, -1.375, -0.75, 0.125, -0.4375, 0.25, -0.75, 0, 0, 0, 0.125, 0, 0, 0, -0.4375, -1.375, 0.3125,
    -0.3125, 0.125, 0.5, -1.5, -1.625, 1.25, 0.5, 0.3125, 0, 1.25, 0, 0, -1.625, 0, 1.1875, 0.875, 0.5, 1.875, -1.875,
    -0.75, 1.1875, 1.5625, -0.5, 2, 0.5, -1.875, 0, 0, -0.5, 0, 2, 0, 0, 0, 0.375, -0.0625, 0.625, -0.5, 1.1875,
    1.3125, 1.75, -0.9375, 0.375, -0.5, 1.75, 0, 0, -0.9375, 0, 0, 1, 3, 1, 2, 2, -1, 0, 1, 1, 1, 3, 1, 2, 2, -1, 0,
    2, 1, 3, 1, 2, 2, -1, 0, 2, 0.25, -1.0625, 1.3125, 1.8125, 0.9375, 1.375, 2, 0, 2, 1, -0.5625, 1.875, -1.5625,
    0.0625, -0.5, 1.375, 1.25, -1.625, -1.4375, -0.3125, 1.25, -0.5625, -0.25, 1.6875, -1.3125, -1, 2.5625, 0.1875,
    -0.125, 4.625, -1.4375, -0.3125, 1.25, -0.5625, -0.25, 1.6875, -0.25, 1.6875, -1.4375, -0.3125, -0.25, 1.6875,
    1.25, -0.5625, 1.125, -1.8125, -0.8125, 0.8125, -0.75, -0.875, -0.5, 0.5625, -0.3125, 2, 0, 2, 1, -1.4375, 1.9375,
    1.25, -0.3125, -0.625, 1.4375, -2, 0.875, 0.4375, 0.625, -0.375, -0.6875, -1.625, -1.8125, -1.25, -0.4375, 0.375,
    1.1875, -0.9375, 1.4375, -1.8125, 3.0625, -2.125, -1, 2.25, 0.125, -3.5, 0.125, -0.125, -0.25, -1.625, -1.8125,
    -1.25, -0.4375, 0.375, 1.1875, -0.9375, 1.4375, -1.8125, -1.25, -1.625, -1.25, -1.8125, 1.1875, -0.4375, 1.1875,
    0.375, -1.8125, -0.9375, -1.8125, 1.4375, -1.4375, 1.0625, -0.25, -0.875, 1.3125, -1.8125, 1, 1, 1.875, -0.375,
    1.25, -0.4375, -1.5625, -0.625, -1.3125, 0.4375, -0.4375, -0.125, -1.4375, 2.875, 1.3125, 1.0625, -1.6875,
    -1.8125, -1.5625, 0.4375, -0.625, -0.4375, -1.3125, -0.125, -0.625, -0.4375, -0.625, -0.4375, -1.5, 2, -1.1875,
    -0.5, 2, 1.4375, 1.875, -0.5625, -1.25, 0, 2, 1, 2, 2, 1, 1.125, 0.0625, 0.1875, 0.3125, -1.8125, -1.25, 0.625,
    1.875, -0.3125, 1, 1, -1.5625, 1.125, -1.75, -0.125, -0.375, 2, -1.1875, -0.5, 2, 0.375, 2.1875, -2.3125, -1.25,
    0.625, 1.875, -0.3125, 1, 1, -1.5625, 1.125, -1.75, -0.125, 0.625, -1.75, -1.5625, 1.125, -1.75, -1.5625, -0.125,
    1.6875, -1.0625, 1.125, -1.9375, 1.25, 0, 2, 1, 2, 2, 1, -1.125, -0.9375, 1.8125, 1.75, 1.3125, 1.1875, -0.0625,
    -0.6875, 1.4375, 1.875, -1.6875, 1.625, -1.25, 3.5, -2, 1.125, -0.75, 4.3125, -0.0625, -0.6875, 1.4375, 1.875,
    -1.6875, 1.625, -0.0625, 1.4375, -0.6875, 1.625, 1.625, -1.6875, -0.625, -0.8125, -1.3125, -1.0625, -0.875,
    1.5625, 1, 1, 0, -0.5625, 0.4375, 0.5, -1.875, -0.8125, 1.375, 0.0625, 0.3125, -0.0625, -0.125, -0.9375, -1.3125,
    -1.0625, -0.875, 1.5625, -1.875, -0.8125, 1.375, 0.0625, 0.3125, -0.0625, -0.8125, -0.8125, -1.875, 0.4375,
    0.0625, -1.1875, 0.3125, 0.3125, 1.375, -1.5625, -0.6875, -1.125, -0.9375, 0.5625, 1.5625, -1.3125, -1.4375, -2,
    -0.9375, -0.125, 0.125, 1.625, 0.375, -0.75427934207139, -0.08979515977040359, -1.023664821382601,
    0.7482929980866965, -0.3175622627272465, -1.164394963333237, -0.7939056568181162, -0.9703291361110309,
    1.6296734491663267, 1.9748365922838762, -0.0054775013190304644, -2.697139406437121, 0.23920401884517836,
    0.3877340129430822, 0.264766314319442, 0.2824763876193287, -0.9152772616085381, 0.01756675012981279,
    1.3461919118858008, -0.6818547915186652, -0.75, -1.5, -0.8125, -1, 1.125, -1.375, -0.6875, 0.8125, -1.6875,
    0.4375, 0.1875, 0.4375, -0.75, 0.875, -0.5, 1.6875, -1.625, 1.375, -1.25, -1.5625, 0.4375, 0.0625, -0.8125,
    1.8125, -0.6688030929489814, -1.3376061858979629, -0.7245366840280631, -0.8204948392318936, 0.9230566941358803,
    -1.1281804039438537, -0.5755561044315499, 0.68020266887365, -1.41272861996835, 0.894305525054852,
    0.38327379645207943, 0.894305525054852, -0.7297418713497997, 0.6583927183055083, -0.5118857385668741,
    0.3891740511118321, -0.21346674989834025, -0.24050970743263034, -1.2008856979917935, -1.1255856285789485,
    -0.012768065035507148, -0.7042673387110026, -2.0174353768997375, 2.8729547615084057, -1.375, 1.25, -0.8125, 0.125,
    -1.5, 1.0625, 1.375, 0.8125, -0.8125, 0.75, 0.3125, -1.75, -1.625, 1.125, 0.25, -0.6875, 1.4375, 0.4375, -0.5625,
    1.4375, 0.8637659233597111, -0.47114504910529703, -0.3624192685425362, -1.8604189118516856, -1.106947817955582,
    0.10217979858051526, 0.3618867866393249, -1.5497269451378148, 0.8676808822353439, 0.20368021783580703,
    0.5618667706156684, 0.505296315880276, -0.10665139675020714, 1.0635825548735511, 1.083342846751976,
    -1.781988959728754, 3.685977986179298, -0.6471126911526449, -0.9413316307848137, 0.5421111324214714, -0.8125,
    1.0625, -1.9375, 0, 0, 0, 1.75, 1.375, 1.1875, 1.0625, 1.0625, -0.25, 1.625, 1.875, 1.5, 1.375, 0.625, -0.9375,
    -2, -0.4375, 0.8125, 1.875, 1.0625, 1.1875, 1.6875, -1.375, -0.8125, 0.4375, -1.5, -2, 1.8125, 1.75, 0.625, 1.375,
    1.75, 1.9375, 0.0625, 1.4375, -1.125, 1.375, 1.8125, 1.5625, 0.625, -0.8125, -0.875, 0.3125, 1.6875, -2, -0.9375,
    1.125, 0.1875, -1.6875, 0.75, -1.5, 1.75, 1.375, 1.1875, 1.0625, -0.7933191503279332, -0.2687371876057288,
    1.7720541683941171, 1.8724062924477056, -1.1925311465867647, 1.3934737591915443, 1.1038543673965584,
    -0.9098143395465838, -2, -0.4375, 0.8125, 1.875, -0.8459110868784269, 1.2011903963292692, 1.8058230625108758,
    -1.3630564484885919, 1.7020654449330757, 0.4774098363032939, -0.11458390447515276, -1.9908505966548222, 1.8125,
    1.75, 0.625, 1.375, 0.9981209718197381, 1.9517778862251536, -1.4388053292970602, 1.4180534485140084,
    2.116266777237083, 1.4059729258748774, 0.2686934639371962, 1.5346893437131948, 0.625, -0.8125, -0.875, 0.3125,
    0.12288109289508287, -1.988650188332393, -1.9265156986147063, 1.1449434171370818, 0.6039455382666721,
    -1.7171605112898496, -0.4826033949401721, -1.4659522599548669, 1, 0.1875, 1.5, -0.6875, -1.5625, -1.75, 0.9375,
    1.125, -1.1875, -1.9375, 0.5625, 0.25, -1.125, -0.3125, -0.875, -1.8125, -1.1875, 0.5625, -1.5, -1.5, -0.75, 1.25,
    -0.6875, 0.8125, -1.25, -1.25, 0.0625, -1.875, 1.875, 0.0625, -1.1875, 1.625, 0.375, 0.5625, 0.1875, -1.875, 0.75,
    0.125, 1.8125, -0.5625, 1.75, -2, -1.0625, -1.5625, -0.625, -1.25, -1.3125, 1.6875, 1, 0.1875, 1.5, -0.6875,
    0.6283518704948504, -2.260327449031583, 0.9262033128896862, 1.1343185942195297, 2.25593813287449,
    -0.2735061985454086, 0.5573878370766168, 0.2611992516816443, -1.125, -0.3125, -0.875, -1.8125,
    -1.1149364171728577, -0.6953267474085485, -1.484925250623748, -1.514924750626248, -0.8245116561217454,
    -1.2021566158031893, -0.7036114212716054, 0.798588422064928, -1.25, -1.25, 0.0625, -1.875, 1.0656587600532554,
    -1.5439892023980473, -1.1711908963267692, 1.636793552761404, 0.3554247388842675, -0.5750691306173983,
    0.1499650011999838, -1.8783747625048333, 0.75, 0.125, 1.8125, -0.5625, -0.7374129343465484, -2.5531788351500984,
    -1.0780716150273422, -1.5517970527334874, -0.8765300106901381, 1.088494437449979, -1.2784897587048838,
    1.7134107612848497, -1.25, -0.1875, 1.25, 0.9375, -1.875, 0.25, -2, -1.1875, 1.625, 1.625, 0.375, 1.25, 0.8125,
    1.9375, -1.375, 0.75, -0.5625, 0.3125, -0.375, -0.1875, 0.0625, -1.3125, 1.9375, -0.1875, -1.625, 1.3125, 1.625,
    1.125, -1.1875, -0.9375, -1.1875, 1.6875, -0.375, -1.0625, -1.25, 1.75, 0.7525517474416994, 0.025860486611597427,
    1.2496415592149612, -1.3693327270690805, -1.8841742183864556, 0.25178557044199507, 2.562177363348131,
    -1.2252094061734433, 1.6230137021470967, -0.2754490129704956, 0.22280745280200626, 1.2525779507251336,
    0.7535885345283189, 1.9966307396765879, -1.3755435726412082, -0.8091727693314085, -0.2894446223002274,
    0.3100985807214553, -0.19923166367305167, 0.03293236477827213, 0.06223206238011306, 1.3504029006892972,
    1.9462728378493368, -0.18758909992832132, 0.7514674849986942, 1.1528763482972504, 1.6235097647675034,
    -1.8279897754062349, -1.3430147525387788, -0.9400783444503787, 1.0572340780993121, 1.4986344577856188,
    -0.3719436828387632, -1.1921906743912645, -1.471139358435361, 1.7506521347190418, -1.4375, 0.6875, 1.5625,
    -0.5625, 0.875, 1, -0.6875, -1.3125, 1.3125, 1.25, 1.625, -1.1875, -0.9375, -0.0625, -1, 0.0625, 0.125, -1.375,
    -1.125, 0.5, 0.375, -1.3125, 1.3125, -2, 0.125, -1.1875, -0.3125, -0.75, 1.3260942083219815, -0.8834798529988653,
    1.6589433805057627, -0.07562645222481029, 0.875, 1, -0.6875, 1.8512105274751463, 0.1353960227081651,
    0.5185214362520493, 1.9834970431405017, -1.1875, -0.9375, -0.0625, 0.9988124971041871, 0.07924547702233938,
    -0.28692322301864126, -1.3505276983803758, -1.125, 0.5, 0.375, -0.1353960227081651, -1.8512105274751463,
    -1.793444695217189, 0.8939693088676617, -1.1875, -0.3125, -0.75, 1.75, -0.875, 2, 0.0625, -1.125, -0.8125, -1.75,
    0.375, 0.6875, -1.875, -1.625, 1.4375, 0.1875, -0.75, 1.625, 0.625, 0.5625, -1.6875, -1.5625, -2, 1.375, 1.5625,
    -1.8125, 1.0625, 0.3125, 0.375, 0.6875, -0.125, -2, -0.625, 1.75, 0.0625, -1.75, -1.875, 0.1875,
    0.4738903402742613, -1.3441272058085667, 0.375, -1.625, -0.75, -0.09348951379841841, 2.156714158345917, 0.6875,
    1.4375, 1.625, 0.625, 2.0577140843310304, 0.46908691723747775, 0.5625, -0.31280025119188937, -0.627087485185791,
    -1.6875, -1.8125, -0.125, -1.5625, 1.0625, -2, -2, 0.3125, -0.625, -0.3125, 1.875, 0.625, 0.5, -1.6875, -0.5,
    -0.9375, -0.9375, -1.375, -1.1875, 0.75, -1.4375, 1, -1.5625, -1.4375, -1.5625, 0.0625, -1.125,
    0.12378065473071924, -1.5240862965272532, -0.5597580868223904, -0.36958522790110115, -0.19757026082940704,
    0.27135735569866704, -0.32461534073164594, 1.58671093941907, 1.567981692222288, 1.3729748592529674,
    -0.003103118902516695, 0.4205315174089928, -0.13203269837943385, -2.540143827545422, -0.585201636223408,
    -0.4862963525014489, -0.016464188402450588, 0.2123666261989568, 0.8125, -0.1875, -0.5, 1.75, 0.25, -0.375, 2,
    0.6875, -0.4375, -1.1875, 0.25, -0.1875, -0.625, 1.875, 1.75, -1.125, -0.6875, -1.625, -1.1875, -1.125, -0.5,
    1.625, 1.6875, 1.4375, 1.0625, -1.875, -0.125, 1.25, -1.625, 2, 1.3125, 1.25, -1.8125, -1.8125,
    1.1255432225939463, -0.16997319300576982, 0.38690548276666903, -0.058428285095733376, -0.24621257994242576,
    0.03718163597001215, -0.6682912884151556, 0.10092158334717584, -0.3775406687981454, 2.981834806889087,
    -0.1297796048993625, 1.0250057148681238, 0.0825870212995943, -0.6522763640069879, 0.22416477209889885,
    -1.7704644165903956, 0.28108825044289903, -0.3055000500344477, 0.09662408608974654, -0.1050156421993414,
    -0.06148805478438416, 0.06682813594503544, -0.16689614870047131, 0.18139065470795332, 0.10482048763852472,
    1.357047476711508, -1.2270581474156117, 0.4986281038255855, 0.13156383267496358, 1.736232021846604,
    -1.5049949640318894, 1.4721595687740991, 2.8986307020701676, -3.2227176818271737, -1.1875, -1.8125, -0.3125,
    -0.4375, -0.75, 0.125, -0.8125, 0.0625, -1.3125, -0.625, 1.9375, 2, -1.5625, 0.22549011780378106,
    0.2066670549131303, 0.10727656743329, 0.1394634825984643, 0.1955004801899949, -0.05395095198327212,
    -0.0010684231963072578, -0.08352877682988295, 0.1758333095629749, -0.4534270269106756, -0.25577509019277556,
    0.7139051819585899, -0.5185287243468597, 1.8125, -0.25, -0.875, 0, 0, 0, -1.1875, -0.25, 1.3125, 0.9375, -1.5625,
    0.5, -0.625, -0.6875, 0.0625, 1.6875, 0.1875, -2, 0.0625, 0.1875, -1.5625, -0.6875, 1, -1.3125, 1.5625, -1.875,
    -0.8125, 1.25, -1.8125, -1.875, 0.17345393677213927, 0.0421051401896986, -0.020522976520978217,
    -0.0169226763602858, -1.6158745223145299, 0.3112296656009273, -0.020546599928985724, -0.05732542640141519,
    2.852547066423803, -0.10642644766246857, -0.003949579079632919, -1.3874272261924723, -0.4336348419303482, 0,
    -1.2631542056909582, 0, 0.08893289825757227, 0, -0.338453527205716, 0, -1.8744144458848548, 0,
    -0.5835556230017387, 0, -0.5, -0.4375, -1.875, -1.625, 0.6875, -0.8125, 0.09438516719953635, 0.07509572139917309,
    0.46745240694549345, 0.5180333287150884, -0.2046425028243135, 0.07582083268054768, -800, 40, 0, 1, 2, 3, 1.75,
    -0.0625, 1, 0, 80, 0, 0, -0.125, 1.5, 0, -2.5, 0, 0.1875, -1.125, -0.75, 0.875, -1.5, -1.5, -1.4375, 1.0625,
    -1.1875, 1.625, 0.375, -1.6875, -0.9375, 0.0448618864815617, -0.3100372112475959, 0.12772109169806692,
    -0.23567520325384483, 0.14362733940046699, 0.03008976190525682, -0.2921758630947432, 0.029296875, -0.17578125,
    -0.1171875, 0.13671875, -0.234375, -0.234375, -1.75, 0.9375, -1.5, 0.875, -0.875, 1.125, -0.75, -1.125, 1.9375,
    0.9375, -0.3125, 1.75, -0.125, 1.2916666666666667, 0.020833333333333332, -0.020833333333333332,
    0.020833333333333332, 0.020833333333333332, 0.020833333333333332, 0.020833333333333332, -0.020833333333333332,
    0.020833333333333332, -0.020833333333333332, -0.020833333333333332, -0.020833333333333332, -0.020833333333333332,
    -1.6875, -1, 1.6875, 1.4375, 1.75, -1, 2.625, 1.0625, 1.6875, 1.3125, 2.0625, 0.6875, 0.625, 0.48484393606390475,
    -0.2734375, -0.11067708333333334, -0.17578125, -0.13671875, -0.21484375, -0.07161458333333334, 0.380477176671207,
    0.21464839810587866, -0.017109568357859595, -0.017246487970454, -0.0027167875805522157, 0.16930276568318642,
    -0.75, 1.375, 1.6875, 0.375, -1.1875, -0.1875, -0.5625, 1.6875, -0.3125, -0.625, -0.4375, -0.9375, -2, 1.75,
    0.0625, 0.8125, -0.0625, 0.88720703125, 0.00341796875, -0.009765625, -0.009765625, -0.009765625, -0.00634765625,
    0.009765625, 0.0048828125, -0.0068359375, -0.00341796875, 0.009765625, 0.009765625, 0.009765625, 0.00634765625,
    -0.009765625, -0.0048828125, 0.0068359375, 1.5, -2, 1.5, 0.5625, -0.625, 1.4375, -1.125, -0.0625, -1.1875, 0.0625,
    1.0625, -1.5, -1.4375, 12.751408815710796, -2.7924508095283627, -0.261197950406794, -2.8822945595283627,
    -0.8258880170655507, 1.026166367957453, -3.3178466194820975, 2.15625, -2.875, 2.15625, 0.80859375, -0.8984375,
    2.06640625, -0.25, -0.25, -1.25, 1.5, 1.8125, -1.4375, 1.1875, 1.5625, 0.4375, 1.4375, 0.5625, -0.625, -0.6875,
    7.0625, 0.6875, 0.6875, 0.6875, -0.6875, -0.6875, 0.6875, -0.6875, -0.6875, -0.6875, 0.6875, 0.6875, -0.6875,
    1.4375, -1.1875, -0.8125, -1.75, 0.625, -1.6875, 0.625, 3, 1.8125, 1.875, 0.875, 2.875, 1.75, 19.900600186853897,
    -1.09375, -5.25, -3.171875, -3.28125, -1.53125, -5.03125, -1.5881313511800372, 5.750696505169192,
    4.212612438556713, 5.912565153989155, 0.42257006290708543, 6.551217179936299, -1.6875, 1.0625, -1.625, -1.25,
    1.0625, -0.1875, 0.8125, 0.625, -0.6875, -1.5, -0.8125, 0.3125, 0.5625, 0.125, -0.5, -0.3125, 1.75, 5.896484375,
    -1.75, 2.1875, -1.421875, -2.1875, 0.875, -0.546875, 2.1875, 1.640625, 1.75, -2.1875, 1.421875, 2.1875, -0.875,
    0.546875, -2.1875, -1.640625, 0.5625, -2, -0.625, -1.125, 1.8125, -0.0625, -1.1875, 0.0625, 0.0625, 0.3125, -0.5,
    1.9375, 0.5625, -0.1875, 0.125, 0.6875, -1.75, 1.125, 1.681406031595125, 0.2519280110429727, 0.4677631782765186,
    0.6327126362483149, 2.8699639539694015, 0.7834791323577756, 1.0262985718952153, -0.01063179787914704,
    0.03576814191674322, -0.04634780347149445, -2.3794115633923543, -1.6347599051883925, -0.31640625, -0.375,
    0.078125, 0.7734375, 3.171875, 0.0703125, -1.8125, -1.125, -0.1875, -0.25, -0.0625, 0.4375, -0.0625, 1.375,
    -0.625, -1.8125, 0.1875, 0.6875, -0.75, 0.8125, 0.0625, 0.25, -0.8125, 0.875, 1.75, 2.5, 0.4375, 1.5625, 0.25,
    0.25, 0.75, -0.8125, 0.0625, 0.25, 0.8125, -0.875, -0.75, 0.8125, -0.0625, -0.25, -0.8125, 0.875, -0.1875, 0.0625,
    0.375, 1.8125, 0.8125, 1.9375, 1.5625, 1.6875, 2.75, 1.375, 1.5, 0.25, -0.6875, 1.5625, -1.4375, -0.0625, 1.6875,
    -1.375, 0.9902923478569056, 0.7775124926026745, 1.7506525071158197, -2.054313619712015, -0.6105523378377534,
    -0.8309485902799727, 1.07421875, -2.63671875, 3.953125, 0.0859375, -2.53125, 0.34375, -1.1232286330570385,
    2.282418974632106, -2.352613810537815, 0.030877891805091595, 1.0006286199325274, 3.1952172465398494, -0.25,
    -0.0625, -0.6875, -0.5625, -1.5, 0.5, 1.3125, 1.5625, -1.625, 1.6875, -0.75, 0.1875, -1.1875, -0.375, -1.25,
    -0.3125, 1.0625, 1.5625, -0.625, 1.3125, 1.3125, 1.3125, 0.875, -1.5625, 0.9375, 1.40625, 0.001953125, 0.28125,
    0.048828125, 0.3828125, 2.421875, 1.5625, 1.328125, -1.953125, -0.0390625, -0.984375, -0.41015625, 1.1484375,
    1.09375, -1.953125, -1.328125, 1.953125, 0.0390625, 0.984375, 0.41015625, -1.1484375, -1.09375, 1.953125, -800,
    800, 0, 0, 1, 0.5, 1.6875, -1.125, -1.3125, 0, 0, 0.6931471805599453, 0, 0, 0, 1350, 900, 0, -1, -2, 0, 1, 1.0625,
    -0.3125, 0, 2, 0, 0.3125, 0, 0, -0.125, 0.1875, 1.125, -1.9375, 0.625, 0.4375, 0.875, 1.625, 0.3125, -1.5625,
    -1.125, -1.1875, 1, -100, 3, 0.375, 2.625, 2.4375, 1.9375, 1.5, 1.6933142002526158, 0.14334760359174392,
    -0.6670807552646001, 0.5003322986654751, 0.02340085300738112, 0, 0, 0, 0, 0.39466168195566886,
    0.060523329151275305, 0.09374036596370168, -0.5489253770706459, -0.375, 1.3125, 0.5625, 0.375, 1.25, -1.6875,
    1.375, 0.1875, -0.4375, -0.625, -0.6875, 0.1875, 1, -100, 3, 1.25, 2.875, 1, 1.125, -0.5625, 0.8499048990317029,
    -0.021348168804196273, 0.153692572018131, -0.07377996799016369, -0.05856443522377099, 0, 0, 0, 0,
    -0.027794065651890524, -0.006881520968044241, -0.02141313854125978, 0.05608872516119455, 0.375, 0.4375, -1.5625,
    1.6875, -0.25, -0.3125, 1.6875, 0.6875, 0.8125, 0.875, -1.125, 0.8125, 0, 2, 1, 1, 1.6875, 1.6562135998376166,
    -0.260933943690165, 0.24767971817775586, 0.013254225512409113, 0, 0, 0, 0.2917341998450406, -0.3996798111879529,
    0.10794561134291225, 0.24767971817775586, -0.4789332744875909, 0.231253556309835, -0.0625, -1.1875, -1.0625,
    -1.0625, -0.0625, -0.3125, -1.5625, 0.125, 0.9375, 0.1875, -0.9375, -0.25, 1, -100, 3, 2.9375, 2.4375, 2.75,
    2.625, -1.125, 9.348405253009991, -1.3308932220731677, 2.310109731663442, -0.48960825479513725,
    -0.48960825479513725, 0, 0, 0, 0, -1.5295584196401375, -0.7225122379014062, -0.23456538073129443,
    2.4866360382728385, 1.5625, 0.125, -1.3125, -1.1875, -0.6875, 0.0625, 0.875, -1.8125, 1.625, 1.375, -1.75, 1.625,
    1, -100, 3, 2.375, 2.5, 0.3125, 1.3125, -1.4375, 5.442771129814771, -2.2016603724527615, 2.346299767374816,
    -0.10817102097939685, -0.03646837394265734, 0, 0, 0, 0, -0.49725387212100375, -0.3288319892715458,
    0.003759655388553048, 0.8223262060039963, -1.4375, 0.0625, -1.375, -1.75, 1.625, 1.75, -1.375, -2, -0.5, 0.125,
    0.6875, 2, 0, 2, 1, 1, 0.4375, 5.35359466448497, -0.334208832230427, 0.281294816965942, 0.05291401526448513, 0, 0,
    0, 0.09297693288229154, -0.34151733096206627, 0.2485403980797748, 0.028936201308812505, -0.3182638679540558,
    0.28932766664524345, -0.75, -0.3125, -1.625, 0.4375, 1.625, -0.4375, 0.3125, 0.5, -0.3125, -1.6875, -1.5625,
    0.1875, 1, -100, 3, 0.25, 1.625, 0.5, 1.0625, 1.8125, -0.25, -0.0625, 2.2655939464898225, 0, 0.7006277551161081,
    0.47166007362540463, -2.2147910873129675, 0.19661717089320013, 1.5465138427943628, 0, 0, 0, 0,
    -0.020829636843146742, -0.005266556960180877, -0.005967790872417288, 0.03206398467574491, -1, -0.375, 0.5,
    -0.1875, 1.5625, 0.0625, -1.0625, -0.5625, -1.8125, 1.5625, 0.0625, 1.125, 1, -100, 3, 1.5, 1, 0.5, 3, 0.875, -2,
    -1.1875, 1.83785878126011, 0, 3.1186910119800517, 0.020470764268234777, -0.5194385262147104, 0.4320384070335841,
    0.0669293549128917, 0, 0, 0, 0, 0.05527743148297921, -1.5638226234764416, -0.32838705899355225,
    1.8369322509870152, 2, 1.125, 0.25, 0.3125, -1.4375, -1.875, 1.9375, 0.25, 1.375, -1.4375, 0.4375, -1.375, 0, 2,
    1, 1, 1, -0.75, 0.1875, 0.875, 0.5735089130734015, 0, 2.132647002957257, 0.4286988534278101, -0.2879873062221238,
    0.2204058812584384, 0.06758142496368535, 0, 0, 0, 0.09903946185752882, -0.15210937451275244, 0.05306991265522361,
    0.06545990086081536, -0.13749296308984613, 0.07203306222903066, 800, 0, -800, 0, 0, 0, 2, 1, 1.6875,
    800.5493061443341, 0.84375, 0, -0.84375, 0.28125, -0.5625, 0.28125, -2, 1.75, 0.0625, 0.0625, 0.125, -1.0625,
    0.375, 1.125, -1.6875, 1.875, -0.9375, 0.5625, 0.0625, 1.75, -2, -1.0625, 0.125, 0.0625, -1.6875, 1.125, 0.375,
    0.5625, -0.9375, 1.875, -0.9375, 0.625, 0.1875, 1.0625, -0.3125, -1.75, 0.5625, 0.6875, 0.6875, -0.5, -0.375,
    0.3125, -1.125, 0.0625, -1.75, -1.3125, -1.3125, -0.6875, 2, 0.875, -1.0625, 1.6875, 0.6875, -0.6875, 0.6875,
    0.625, -0.5, 1.0625, 0.3125, -1.75, 0.5625, -0.9375, 0.6875, 0.1875, -0.375, -0.3125, 0.875, 0.0625, 1.6875,
    -1.3125, -0.6875, -0.6875, 2, -1.125, -1.0625, -1.75, 0.6875, -1.3125, 1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1, 1.3125,
    1.5, 1.6875, 0.6875, 1, -0.4375, -1.4375, 0.0625, 0.5625, -0.9375, -2, 0.0625, 1.6875, 1.3125, 1.5, -0.4375,
    0.6875, 1, 0.0625, 0.5625, -1.4375, -2, 0.0625, -0.9375, -1.9375, 0.5, 0.6875, 0.0625, 1.25, -1.625, 0.0625,
    -1.875, -1.1875, -0.875, 1.1875, 0.3125, 0.5, 0.6875, -1.9375, 1.25, -1.625, 0.0625, -1.1875, 0.0625, -1.875,
    0.3125, -0.875, 1.1875, -1.9375, -1.5, 0.5, 1.75, -0.4375, 0.3125, 1.25, 0.875, 1.0625, 1.375, -0.3125, -0.8125,
    -1.5, 0.5, -1.9375, -0.4375, 0.3125, 1.75, 1.0625, 1.25, 0.875, -0.8125, 1.375, -0.3125, -1.4375, 0.5625, 0.5,
    -0.5625, 0.1875, -2, -1.8125, -1.5625, 1.8125, 0.8125, 0.8125, 1.875, -1.4375, 0.5625, 0.5, -0.5625, 0.1875, -2,
    -1.8125, -1.5625, 1.8125, 0.8125, 0.8125, 1.875, 1.625, -0.875, 1.75, -1.1875, -1.75, -0.75, -1, 0.0625, -1.8125,
    0.125, -1.8125, -0.875, -0.375, -0.0625, 0.875, -1.875, 0.75, -0.375, 0.125, 1.625, 1.1875, -1.25, 0.875, -1.875,
    -0.375, -1.0625, -2, -1.5, 1.625, -0.875, 1.625, -0.875, 1.625, -0.875, 1.75, -1.1875, 1.75, -1.1875, 1.75,
    -1.1875, 1.625, -0.875, 1.625, -0.875, 1.625, -0.875, 1.75, -1.1875, 1.75, -1.1875, 1.75, -1.1875, -2.5, -0.5625,
    -2.8125, -7.25, 0.75, -0.625, -0.6875, -1.125, 1.5, -0.5625, 0.3125, -1.75, 0.4375, 0.0625, -1.3125, -1.5, -2,
    -0.4375, -1.0625, 1.1875, -0.75, 0.9375, -1.375, 0.9375, -1.8125, -0.5, -0.875, 1.375, 1, -1.125, -2, 1.5625,
    0.75, -0.6875, 0.75, -0.6875, 0.75, -0.6875, -0.625, -1.125, -0.625, -1.125, -0.625, -1.125, 0.75, -0.6875, 0.75,
    -0.6875, 0.75, -0.6875, -0.625, -1.125, -0.625, -1.125, -0.625, -1.125, -1.6875, -6.25, -0.875, 1.0625, 0.1875,
    0.5625, 0.9375, 1.25, 0, 0, 0, 0,
};
